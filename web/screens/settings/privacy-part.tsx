import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CurrentUser } from '#contracts/accounts.ts'
import { savePrivacy } from '#contracts/calls/settings.ts'
import { progressOptions } from '#web/entities/guide/guide.api.ts'
import { ModelSwitch } from '#web/entities/guide/model-switch.tsx'
import { messageSettings, messageSettingsOptions } from '#web/entities/messages/messages.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { currentUserOptions, expireOthers, useCurrentUser } from '#web/lib/current-user.ts'
import { fieldsBack, savedAtOnce } from '#web/lib/saved-at-once.ts'
import { toastNotSaved } from '#web/ui/lazy-overlays.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { RetryLine } from '#web/ui/retry-line.tsx'
import { SettingsSection } from '#web/ui/settings-section.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { SettingsRow, SettingsRows, SwitchRow } from './settings-rows.tsx'

/** Saved immediately. */
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
        <SwitchRow>
          <Switch
            checked={user.isProfilePublic}
            onChange={(event) => choose({ isProfilePublic: event.target.checked })}
            hint={
              user.isProfilePublic
                ? 'Members see your picture, bio, interests, posts and who you follow. No one else sees your email.'
                : 'Others see only your name, posts and reviews.'
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
        <SettingsRow title="Blocked" hint="You won’t see each other’s posts or messages.">
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
  if (!isProfilePublic) return 'Hidden for now, because your profile is private.'
  return location ? `“${location}” is shown on your profile.` : 'Your city will be shown on your profile once you add one.'
}

/** Renders nothing if the server has no language model. */
function GuideModel() {
  const { data: progress } = useQuery(progressOptions)
  if (!progress?.modelHost) return null
  return (
    <SwitchRow>
      <ModelSwitch progress={progress} />
    </SwitchRow>
  )
}

/** Read receipts: the same setting as in messages. */
function MessagePrivacy() {
  const { data: settings, error, refetch, isFetching } = useQuery(messageSettingsOptions)
  const data = messageSettings.useShown(settings)
  if (!data) {
    return (
      <SwitchRow>
        {error ? (
          <RetryLine onRetry={() => void refetch()} pending={isFetching}>
            Your message settings couldn’t be loaded. {messageOf(error)}
          </RetryLine>
        ) : (
          <SkeletonGroup label="Loading your message settings...">
            <Skeleton className="h-11" />
          </SkeletonGroup>
        )}
      </SwitchRow>
    )
  }
  return (
    <SwitchRow>
      <Switch
        checked={data.showsReadMarks}
        onChange={(event) => messageSettings.choose({ showsReadMarks: event.target.checked })}
        hint="In messages, others see what you’ve read and when you’re typing. If you turn this off, you won’t see theirs either."
      >
        Read receipts and typing
      </Switch>
    </SwitchRow>
  )
}

type Choice = Partial<Pick<CurrentUser, 'isProfilePublic' | 'allowLocationSharing'>>

const privacy = savedAtOnce<CurrentUser, Choice>({
  queryKey: currentUserOptions.queryKey,
  withChoice: (user, choice) => ({ ...user, ...choice }),
  turnedBack: fieldsBack,
  save: (body) => call(savePrivacy, { body }),
  onSaved: expireOthers,
  onFailed: toastNotSaved,
})

/** The viewer with pending choices applied, and the function to choose. */
const usePrivacy = () => ({ user: privacy.useShown(useCurrentUser()), choose: privacy.choose })
