import { ExternalLink, LifeBuoy, Mail } from 'lucide-react'
import { brand } from '../../lib/boot.ts'
import { Button } from '../../ui/button.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { SettingsRow, SettingsRows } from './settings-rows.tsx'

export function SupportPart() {
  return (
    <SettingsSection id="support" title="Support & Help">
      <SettingsRows>
        <SettingsRow title="Write to us" hint={`Questions, faults, wishes: ${brand.supportEmail}.`}>
          <Button asChild variant="secondary">
            <a href={`mailto:${brand.supportEmail}`}>
              <Mail aria-hidden="true" />
              Email Support
            </a>
          </Button>
        </SettingsRow>
        <SettingsRow title="Read first" hint="How things work here, and what to do when they do not.">
          <Button asChild variant="secondary">
            <a href="/help" target="_blank" rel="noopener">
              <LifeBuoy aria-hidden="true" />
              Help Center
              <span className="sr-only">(opens in a new tab)</span>
              <ExternalLink aria-hidden="true" className="size-3.5! text-muted" />
            </a>
          </Button>
        </SettingsRow>
      </SettingsRows>
    </SettingsSection>
  )
}
