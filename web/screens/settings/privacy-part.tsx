import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CurrentUser } from '#contracts/accounts.ts'
import { savePrivacy } from '#contracts/calls/accounts.ts'
import type { SettingsOf } from '#contracts/settings.ts'
import { progressOptions } from '#web/entities/guide/guide.api.ts'
import { ModelSwitch } from '#web/entities/guide/model-switch.tsx'
import { MessageSettings } from '#web/entities/messages/message-settings.tsx'
import { call } from '#web/lib/call.ts'
import { currentUserOptions, expireOthers, useCurrentUser } from '#web/lib/current-user.ts'
import { fieldsBack, optimisticSettings } from '#web/lib/saved-at-once.ts'
import { toastNotSaved } from '#web/ui/lazy-overlays.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { SettingsRow, SettingsRows, SettingsSection, SwitchRow } from '#web/ui/settings-section.tsx'
import { Switch } from '#web/ui/switch.tsx'

type Settings = SettingsOf<'privacy'>
type Name = keyof Settings

const controls: Record<Name, { label: string; hint: (user: CurrentUser) => string }> = {
  isProfilePublic: {
    label: 'Public Profile',
    hint: ({ isProfilePublic }) =>
      isProfilePublic
        ? 'Members can see your picture, bio, interests, posts and who you follow, but not your email.'
        : 'Your profile shows others only your name. It also appears on your posts, comments and reviews.',
  },
  allowLocationSharing: { label: 'Location Sharing', hint: locationHint },
}

function locationHint({ allowLocationSharing, isProfilePublic, location }: CurrentUser): string {
  if (!allowLocationSharing) return 'Only you can see your city.'
  if (!isProfilePublic) return 'Hidden for now, because your profile is private.'
  return location ? `“${location}” is shown on your profile.` : 'Your city will be shown on your profile once you add one.'
}

export function PrivacyPart() {
  const { user, choose } = usePrivacy()
  if (!user) return null
  return (
    <SettingsSection id="privacy" title="Privacy & Visibility" description="Changes here are saved automatically.">
      {user.isProfileHidden && (
        <p className="mb-5 rounded-input bg-clay-soft p-3 text-sm">
          Moderators hid your profile. Others see “Member” instead of your name, no matter what you choose here.{' '}
          <Link to="/standing" className={textLink}>
            See why, and appeal
          </Link>
        </p>
      )}
      <SettingsRows>
        {(Object.keys(controls) as Name[]).map((name) => (
          <SwitchRow key={name}>
            <Switch checked={user[name]} onChange={(event) => choose({ [name]: event.target.checked })} hint={controls[name].hint(user)}>
              {controls[name].label}
            </Switch>
          </SwitchRow>
        ))}
        <SwitchRow>
          <MessageSettings only={['showsReadMarks']} />
        </SwitchRow>
        <GuideModel />
        <SettingsRow title="Blocked" hint="You and anyone you block can’t see each other’s posts or message each other.">
          <Link to="/blocked" className={textLink}>
            Blocked people and businesses
          </Link>
        </SettingsRow>
        <SettingsRow title="Muted" hint="Muted people and businesses don’t appear in your feed or notifications.">
          <Link to="/muted" className={textLink}>
            Muted people and businesses
          </Link>
        </SettingsRow>
      </SettingsRows>
    </SettingsSection>
  )
}

function GuideModel() {
  const { data: progress } = useQuery(progressOptions)
  if (!progress?.modelHost) return null
  return (
    <SwitchRow>
      <ModelSwitch progress={progress} />
    </SwitchRow>
  )
}

const privacy = optimisticSettings<CurrentUser, Partial<Settings>>({
  queryKey: currentUserOptions.queryKey,
  withChoice: (user, choice) => ({ ...user, ...choice }),
  turnedBack: fieldsBack,
  save: (body) => call(savePrivacy, { body }),
  onSaved: expireOthers,
  onFailed: toastNotSaved,
})

/** `user` includes pending choices. */
const usePrivacy = () => ({ user: privacy.useShown(useCurrentUser()), choose: privacy.choose })
