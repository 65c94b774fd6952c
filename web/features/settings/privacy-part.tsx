import { Link } from '@tanstack/react-router'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { textLink } from '../../ui/link-styles.ts'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { Switch } from '../../ui/switch.tsx'
import { GuideModel } from './guide-model.tsx'
import { MessagePrivacy } from './message-privacy.tsx'
import { SettingsRow, SettingsRows, SwitchRow } from './settings-rows.tsx'
import { usePrivacy } from './use-privacy.ts'

/** Saved as it is changed. */
export function PrivacyPart() {
  const { user, choose } = usePrivacy()
  if (!user) return null
  return (
    <SettingsSection id="privacy" title="Privacy & Visibility" description="Changes here are saved at once.">
      {user.isProfileHidden && (
        <p className="mb-5 rounded-input bg-clay-soft p-3 text-sm">
          Moderators have hidden your profile: others read “Member” in the place of your name, whatever is chosen here.{' '}
          <Link to="/standing" className={textLink}>
            See why, and appeal
          </Link>
        </p>
      )}
      <SettingsRows>
        <SwitchRow>
          <Switch
            checked={user.isProfilePublic}
            onChange={(event) => choose({ isProfilePublic: event.target.checked })}
            hint={
              user.isProfilePublic
                ? 'Members see your picture, bio, interests, posts and whom you follow. Nobody sees your email.'
                : 'Others see your name alone, and what you post and review under it.'
            }
          >
            Public Profile
          </Switch>
        </SwitchRow>
        <SwitchRow>
          <Switch
            checked={user.allowLocationSharing}
            onChange={(event) => choose({ allowLocationSharing: event.target.checked })}
            hint={locationHint(user)}
          >
            Location Sharing
          </Switch>
        </SwitchRow>
        <MessagePrivacy />
        <GuideModel />
        <SettingsRow title="Blocked" hint="Neither of you sees what the other writes, anywhere.">
          <Link to="/blocked" className={textLink}>
            Blocked people and businesses
          </Link>
        </SettingsRow>
      </SettingsRows>
    </SettingsSection>
  )
}

function locationHint({ allowLocationSharing, isProfilePublic, location }: CurrentUser): string {
  if (!allowLocationSharing) return 'Only you see your city.'
  if (!isProfilePublic) return 'Your city would stand on your profile, but that is not public.'
  return location ? `“${location}” stands on your profile.` : 'Your city stands on your profile once you give one.'
}
