import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type NotificationPreferences, saveNotificationPreferences } from '../../../contracts/notifications.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { textLink } from '../../ui/link-styles.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast-store.ts'
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
        {(preferences) => <Switches preferences={preferences} />}
      </Loaded>
    </SettingsSection>
  )
}

function Switches({ preferences }: { preferences: NotificationPreferences }) {
  const turn = useTurn()
  return (
    <SettingsRows>
      {(Object.keys(switches) as SwitchName[]).map((name) => (
        <SwitchRow key={name}>
          <Switch
            checked={isOn(preferences, name)}
            onChange={(event) => turn(name, event.target.checked)}
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

/** Turns one at once: it shows the new state before the answer, and the old one again when it was not saved. */
function useTurn() {
  const client = useQueryClient()
  const { queryKey } = preferencesOptions
  const { mutate } = useMutation({
    // One after another, each with all that was chosen by then.
    scope: { id: 'notification-preferences' },
    mutationFn: async ({ name, on }: { name: SwitchName; on: boolean; before: NotificationPreferences }) => {
      const now = client.getQueryData(queryKey)
      if (!now) return
      const { timeZone } = now
      await call(saveNotificationPreferences, { body: { ...turned(now, name, on), timeZone: chosenTimeZone(timeZone) } })
    },
    onError: (error, { name, before }) => {
      client.setQueryData(queryKey, (now) => now && turnedBack(now, before, name))
      toast({ title: 'Your settings were not saved', description: messageOf(error), variant: 'destructive' })
    },
  })
  return (name: SwitchName, on: boolean) => {
    const before = client.getQueryData(queryKey)
    if (!before) return
    client.setQueryData(queryKey, turned(before, name, on))
    mutate({ name, on, before })
  }
}
