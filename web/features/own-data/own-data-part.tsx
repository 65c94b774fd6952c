import { SettingsSection } from '../../ui/settings-section.tsx'
import { DeletionRow } from './deletion-row.tsx'
import { ExportRow } from './export-row.tsx'

/** Take it along, or have it deleted. */
export default function OwnDataPart() {
  return (
    <SettingsSection id="data" title="Your data" description="Take it with you, or have it deleted.">
      <div className="divide-y divide-line">
        <ExportRow />
        <DeletionRow />
      </div>
    </SettingsSection>
  )
}
