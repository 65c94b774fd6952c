import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type NotificationPreferences, saveNotificationPreferences } from '../../../contracts/notifications.ts'
import { call } from '../../lib/call.ts'
import { savedAtOnce } from '../../lib/saved-at-once.ts'
import { textLink } from '../../ui/link-styles.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { tellNotSaved } from '../../ui/tell-not-saved.ts'
import { preferencesOptions } from '../notifications/notifications.api.ts'
import { chosenTimeZone } from '../notifications/time-zones.ts'
import { isOn, partOf, type SwitchName, switches, turned, turnedBack } from './notification-switches.ts'
import { SettingsRow, SettingsRows, SwitchRow } from './settings-rows.tsx'

const hints: Record<SwitchName, string> = {
  email: 'Anything at all by email. What keeps your account safe is mailed in any case.',
  posts: 'News of the businesses and people you follow.',
  products: 'New and changed products of the businesses you follow.',
}

/** The three switches of the specification; all others are under the preferences. */
export function NotificationsPart() {
  const query = useQuery(preferencesOptions)
  return (
    <SettingsSection id="notifications" title="Notifications" description="Changes here are saved at once.">
      <Loaded
        query={query}
        loadingLabel="Loading your preferences..."
        failure="Your preferences could not be loaded"
        skeleton={
          <div className="grid gap-7">
            {[1, 2, 3].map((row) => (
              <div key={row} className="flex items-center justify-between gap-8">
                <SkeletonText className="flex-1" />
                <Skeleton className="h-6 w-10.5" />
              </div>
            ))}
          </div>
        }
      >
        {() => <Switches />}
      </Loaded>
    </SettingsSection>
  )
}

const saved = savedAtOnce<NotificationPreferences, { name: SwitchName; on: boolean }>({
  queryKey: preferencesOptions.queryKey,
  withChoice: (preferences, { name, on }) => turned(preferences, name, on),
  turnedBack: (preferences, before, { name }) => turnedBack(preferences, before, name),
  save: (_choice, preferences) =>
    call(saveNotificationPreferences, { body: { ...preferences, timeZone: chosenTimeZone(preferences.timeZone) } }),
  onFailed: tellNotSaved,
})

function Switches() {
  const preferences = saved.useShown(useQuery(preferencesOptions).data)
  if (!preferences) return null
  return (
    <SettingsRows>
      {(Object.keys(switches) as SwitchName[]).map((name) => (
        <SwitchRow key={name}>
          <Switch
            checked={isOn(preferences, name)}
            onChange={(event) => saved.choose({ name, on: event.target.checked })}
            hint={[hints[name], partOf(preferences, name)].filter(Boolean).join(' ')}
          >
            {switches[name].label}
          </Switch>
        </SwitchRow>
      ))}
      <SettingsRow title="Everything else" hint="Likes, comments, followers, messages, quiet hours, and how often mail comes.">
        <Link to="/notifications/preferences" className={textLink}>
          All notification preferences
        </Link>
      </SettingsRow>
    </SettingsRows>
  )
}
