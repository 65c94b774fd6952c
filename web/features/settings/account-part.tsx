import { Link } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { brand } from '../../lib/boot.ts'
import { dateFormat } from '../../lib/format.ts'
import { planWords } from '../../lib/plan-words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { SettingsRow, SettingsRows } from './settings-rows.tsx'

const day = dateFormat({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const typeNames = { consumer: 'Consumer', business: 'Business' }

export function AccountPart({ user: { userType, createdAt, subscriptionTier, subscriptionEndsAt } }: { user: CurrentUser }) {
  return (
    <SettingsSection id="account" title="Account Information">
      <SettingsRows>
        <SettingsRow title="Account type" hint={<TypeHint userType={userType} />}>
          <Badge>{typeNames[userType]}</Badge>
        </SettingsRow>
        <SettingsRow title="Member since">{day.format(new Date(createdAt))}</SettingsRow>
        {subscriptionTier !== null && (
          <SettingsRow
            title="Subscription plan"
            hint={
              <>
                Manage payments and cancellation under{' '}
                <Link to="/billing" className={textLink}>
                  Billing
                </Link>
                .
              </>
            }
          >
            <Badge variant="leaf">{planWords(subscriptionTier, subscriptionEndsAt)}</Badge>
          </SettingsRow>
        )}
        <SettingsRow title="Something wrong here?" hint={`Write to ${brand.supportEmail}.`}>
          <Button asChild variant="secondary">
            <a href={`mailto:${brand.supportEmail}`}>
              <Mail aria-hidden="true" />
              Contact Support
            </a>
          </Button>
        </SettingsRow>
      </SettingsRows>
    </SettingsSection>
  )
}

/** The type is not switched: a business comes to an account when one is registered. */
function TypeHint({ userType }: Pick<CurrentUser, 'userType'>) {
  const isBusiness = userType === 'business'
  return (
    <>
      {isBusiness ? 'For those who run a business. To add another one, ' : 'Do you run a business? Keep this account and '}
      <Link to="/business/register" className={textLink}>
        register {isBusiness ? 'it' : 'your business'}
      </Link>
      .
    </>
  )
}
