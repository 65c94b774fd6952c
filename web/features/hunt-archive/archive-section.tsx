import { Download, FileJson, FileSpreadsheet } from 'lucide-react'
import { useId } from 'react'
import { type ArchiveTable, archiveTables } from '../../../contracts/hunt-archive.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { exportAddress, tableAddress } from './hunt-archive.api.ts'
import { ImportHuntButton } from './import-hunt-button.tsx'
import { ProofsCard } from './proofs-card.tsx'

const tableNames: Record<ArchiveTable, string> = {
  plants: 'Plants',
  'grow-logs': 'Grow logs',
  scores: 'Scores',
  harvests: 'Harvests',
  'lab-results': 'Lab results',
  decisions: 'Decisions',
}

/** Out of here and in again: whose hunt it is takes it along. */
export function ArchiveSection({ hunt }: { hunt: Hunt }) {
  const id = useId()
  if (!hunt.abilities.write) {
    return (
      <EmptyState
        level={3}
        title="For those who write in this hunt"
        description="An export holds what others are not shown, such as what logs said before they were changed."
      />
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2">
      <Card asChild>
        <section aria-labelledby={`${id}-whole`}>
          <CardBody className="grid gap-3">
            <h3 id={`${id}-whole`} className="flex items-center gap-2 text-lg">
              <FileJson aria-hidden="true" className="size-5 text-leaf" />
              The whole hunt
            </h3>
            <p className="max-w-text">
              One JSON file with every plant, log, score, harvest, lab result, decision, run and reading, and what was corrected. Importing
              it, here or elsewhere, makes the same hunt again.
            </p>
            <p className="max-w-text text-muted text-sm">
              Not in it: photos, who wrote what, blind panels that are still open, the codes on labels, comments, and with whom it is
              shared. The format is described under{' '}
              <a className="text-leaf underline underline-offset-2" href="/api/docs">
                API
              </a>
              , “Hunt archive”.
            </p>
            <div className="flex flex-wrap gap-2 pt-1">
              <Button asChild>
                <a href={exportAddress(hunt.id)} download>
                  <Download aria-hidden="true" />
                  Export as JSON
                </a>
              </Button>
              <ImportHuntButton variant="secondary" />
            </div>
          </CardBody>
        </section>
      </Card>
      <Card asChild>
        <section aria-labelledby={`${id}-tables`}>
          <CardBody className="grid gap-3">
            <h3 id={`${id}-tables`} className="flex items-center gap-2 text-lg">
              <FileSpreadsheet aria-hidden="true" className="size-5 text-leaf" />
              Tables
            </h3>
            <p className="max-w-text">One CSV file each, for a spreadsheet. Values are in cm, g, °C and %.</p>
            <ul className="grid gap-2 sm:grid-cols-2">
              {archiveTables.map((table) => (
                <li key={table}>
                  <Button asChild variant="secondary" className="w-full justify-start">
                    <a href={tableAddress(hunt.id, table)} download>
                      <Download aria-hidden="true" />
                      {tableNames[table]}
                    </a>
                  </Button>
                </li>
              ))}
            </ul>
          </CardBody>
        </section>
      </Card>
      <ProofsCard hunt={hunt} />
    </div>
  )
}
