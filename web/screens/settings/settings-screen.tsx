import { useQuery } from '@tanstack/react-query'
import { CatchBoundary, Link } from '@tanstack/react-router'
import { ExternalLink, LifeBuoy, Mail } from 'lucide-react'
import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { saveNotificationPreferences } from '#contracts/calls/notifications.ts'
import { channels } from '#contracts/choices.ts'
import type { NotificationTopic } from '#contracts/notification-types.ts'
import type { Channel, NotificationPreferences, NotificationPreferencesChange } from '#contracts/notifications.ts'
import { preferencesOptions } from '#web/entities/notifications/notifications.api.ts'
import { isMissingCode } from '#web/lib/api-error.ts'
import { brand } from '#web/lib/boot.ts'
import { call } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { dateFormat, formatList } from '#web/lib/format.ts'
import { optimisticSettings } from '#web/lib/saved-at-once.ts'
import { planWords } from '#web/lib/time-words.ts'
import { chosenTimeZone } from '#web/lib/time-zones.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { toastNotSaved } from '#web/ui/lazy-overlays.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SettingsRow, SettingsRows, SettingsSection, SwitchRow } from '#web/ui/settings-section.tsx'
import { Skeleton, SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { PrivacyPart } from './privacy-part.tsx'
import { ProfileForm } from './profile-form.tsx'
import { type SectionId, SectionLink, sections, useCurrentSection } from './section-links.tsx'

const UnitsPart = lazy(() => import('./units-part.tsx'))
const InstallPart = lazy(() => import('./install-part.tsx'))
const SignInPart = lazy(() => import('./sign-in-part.tsx'))
const OwnDataPart = lazy(() => import('./own-data-part.tsx'))
const ConfirmEmailBanner = lazy(async () => ({ default: (await import('#web/entities/accounts/check-email.tsx')).ConfirmEmailBanner }))

export function SettingsScreen() {
  const user = useCurrentUser()
  // Requires sign-in; see web/lib/route-access.ts.
  return user && <Settings user={user} />
}

function Settings({ user }: { user: CurrentUser }) {
  const current = useCurrentSection()
  return (
    <div className="mx-auto max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader title="Settings" description="Your profile, your account and what you see and share." />
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-5 lg:mt-8 lg:grid-cols-[12.5rem_minmax(0,1fr)] lg:gap-10">
        <SectionNav current={current} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:max-w-[46rem]">
          {!user.isEmailVerified && (
            <Suspense>
              <ConfirmEmailBanner email={user.email} />
            </Suspense>
          )}
          <ProfilePart user={user} />
          <AccountPart user={user} />
          <PrivacyPart />
          <NotificationsPart />
          <LazyPart id="units" title="Units and region" Part={UnitsPart} />
          <LazyPart id="sign-in" title="Sign-in and security" Part={SignInPart} />
          <LazyPart id="data" title="Your data" Part={OwnDataPart} />
          <LazyPart id="install" title="Install the app" Part={InstallPart} />
          <SupportPart />
        </div>
      </div>
    </div>
  )
}

const day = dateFormat({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const typeNames = { consumer: 'Consumer', business: 'Business' }

function AccountPart({ user: { userType, createdAt, subscriptionTier, subscriptionEndsAt } }: { user: CurrentUser }) {
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

/** An account gets a business by registering one, not by switching its type. */
function TypeHint({ userType }: Pick<CurrentUser, 'userType'>) {
  const isBusiness = userType === 'business'
  return (
    <>
      {isBusiness ? 'For people who run a business. To add another one, ' : 'Do you run a business? Keep this account and '}
      <Link to="/business/register" className={textLink}>
        register {isBusiness ? 'it' : 'your business'}
      </Link>
      .
    </>
  )
}

type LazyPartProps = {
  id: string
  title: string
  Part: LazyExoticComponent<ComponentType>
}

/** Shows the section's title while loading and on failure, without affecting the other sections. */
function LazyPart({ id, title, Part }: LazyPartProps) {
  return (
    <CatchBoundary
      getResetKey={() => id}
      errorComponent={({ error, reset }) => (
        <SettingsSection id={id} title={title}>
          {isMissingCode(error) ? (
            <ErrorState
              level={3}
              title="This section couldn’t be loaded"
              description="You may be offline, or there may be a new version of this page. Check your connection, then reload."
              // Browsers don't retry failed dynamic imports within a page.
              onRetry={() => window.location.reload()}
            />
          ) : (
            <ErrorState
              level={3}
              title="This section ran into an error"
              description="It’s our fault. The other sections aren’t affected."
              onRetry={reset}
            />
          )}
        </SettingsSection>
      )}
    >
      <Suspense fallback={<Loading id={id} title={title} />}>
        <Part />
      </Suspense>
    </CatchBoundary>
  )
}

const Loading = ({ id, title }: Omit<LazyPartProps, 'Part'>) => (
  <SettingsSection id={id} title={title}>
    <SkeletonGroup label={`Loading ${title}...`} className="grid gap-5">
      {[1, 2, 3].map((row) => (
        <div key={row} className="flex items-center justify-between gap-8">
          <SkeletonText className="flex-1" />
          <Skeleton className="h-9 w-28" />
        </div>
      ))}
    </SkeletonGroup>
  </SettingsSection>
)

const hints: Record<SwitchName, string> = {
  email: 'Notifications and digests. We always send emails about your account, such as receipts and security alerts.',
  posts: 'News from businesses and people you follow.',
  products: 'New and updated products from businesses you follow.',
}

/** The specification has three switches. The preferences screen has the other topics. */
function NotificationsPart() {
  const query = useQuery(preferencesOptions)
  return (
    <SettingsSection id="notifications" title="Notifications" description="Changes here are saved automatically.">
      <Loaded
        query={query}
        loadingLabel="Loading your preferences..."
        failure="Your preferences couldn’t be loaded"
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

const saved = optimisticSettings<NotificationPreferences, { name: SwitchName; on: boolean }>({
  queryKey: preferencesOptions.queryKey,
  withChoice: (preferences, { name, on }) => turned(preferences, name, on),
  turnedBack: (preferences, before, { name }) => turnedBack(preferences, before, name),
  save: ({ name }, preferences) => call(saveNotificationPreferences, { body: changeOf(preferences, name) }),
  onFailed: toastNotSaved,
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
      <SettingsRow title="More notifications" hint="Likes, comments, followers, messages, quiet hours and email frequency.">
        <Link to="/notifications/preferences" className={textLink}>
          All notification preferences
        </Link>
      </SettingsRow>
    </SettingsRows>
  )
}

function ProfilePart({ user }: { user: CurrentUser }) {
  // A new key resets the form. Start from the server's response, because the cache may update a moment later.
  const [{ round, start }, begin] = useState({ round: 0, start: user })
  return (
    <SettingsSection id="profile" title="Profile Information" description="Your posts and reviews show your name.">
      <ProfileForm
        key={round}
        user={user}
        start={start}
        wasSaved={round > 0}
        onSaved={(saved) => begin({ round: round + 1, start: saved })}
      />
    </SettingsSection>
  )
}

const look = (isCurrent: boolean) =>
  chipClass(
    isCurrent,
    cx(
      'lg:min-h-10 lg:w-full lg:rounded-input lg:border-transparent lg:px-3 lg:text-base',
      isCurrent
        ? 'lg:bg-leaf-soft lg:text-ink'
        : 'lg:bg-transparent lg:font-normal lg:text-muted lg:hover:border-transparent lg:hover:bg-sunk',
    ),
  )

function SectionNav({ current }: { current: SectionId }) {
  const line = useRef<HTMLUListElement>(null)
  // Scroll the row to show the current item, but never the page.
  useEffect(() => {
    const item = line.current?.querySelector<HTMLElement>('[aria-current]')
    if (line.current && item) line.current.scrollLeft = item.offsetLeft - (line.current.clientWidth - item.offsetWidth) / 2
  })
  return (
    <nav
      aria-label="Sections"
      className="max-lg:sticky max-lg:top-16 max-lg:z-10 max-lg:-mx-4 max-lg:border-line max-lg:border-b max-lg:bg-ground sm:max-lg:-mx-6"
    >
      <ul
        ref={line}
        className="relative flex gap-2 max-lg:overflow-x-auto max-lg:px-4 max-lg:py-2 max-lg:[scrollbar-width:none] sm:max-lg:px-6 lg:sticky lg:top-24 lg:grid lg:gap-0.5"
      >
        {sections.map(({ id, title }) => (
          <li key={id} className="shrink-0">
            <SectionLink to={id} isCurrent={id === current} className={look(id === current)}>
              {title}
            </SectionLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function SupportPart() {
  return (
    <SettingsSection id="support" title="Support & Help">
      <SettingsRows>
        <SettingsRow title="Contact us" hint={`Questions, problems, ideas: ${brand.supportEmail}.`}>
          <Button asChild variant="secondary">
            <a href={`mailto:${brand.supportEmail}`}>
              <Mail aria-hidden="true" />
              Email Support
            </a>
          </Button>
        </SettingsRow>
        <SettingsRow title="Find answers" hint="How it works, and fixes for common problems.">
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

/** A topic is on if any channel is. Turning it on enables all channels, and turning it off disables all. */
export const switches = {
  email: { label: 'Email Notifications', topic: null },
  posts: { label: 'New Post Alerts', topic: 'posts' },
  products: { label: 'Product Updates', topic: 'products' },
} as const satisfies Record<string, { label: string; topic: NotificationTopic | null }>

export type SwitchName = keyof typeof switches

const channelsOf = (preferences: NotificationPreferences, topic: NotificationTopic) => {
  const chosen = preferences.topics.find((each) => each.topic === topic)?.channels
  return channels.filter((channel) => chosen?.[channel])
}

export function isOn(preferences: NotificationPreferences, name: SwitchName): boolean {
  const { topic } = switches[name]
  return topic === null ? preferences.isEmailOn : channelsOf(preferences, topic).length > 0
}

export function turned(preferences: NotificationPreferences, name: SwitchName, on: boolean): NotificationPreferences {
  const { topic } = switches[name]
  if (topic === null) return { ...preferences, isEmailOn: on }
  return {
    ...preferences,
    topics: preferences.topics.map((each) => (each.topic === topic ? { topic, channels: { in_app: on, email: on, push: on } } : each)),
  }
}

/** Saving a switch sends only this, so it doesn't undo changes made elsewhere. */
export function changeOf({ topics, isEmailOn, timeZone }: NotificationPreferences, name: SwitchName): NotificationPreferencesChange {
  const { topic } = switches[name]
  const chosenZone = chosenTimeZone(timeZone)
  return {
    ...(topic === null ? { isEmailOn } : { topics: topics.filter((each) => each.topic === topic) }),
    ...(chosenZone !== timeZone && { timeZone: chosenZone }),
  }
}

/** Restores the previous preferences, because toggling a switch off and on would lose a mix of channels. */
export function turnedBack(now: NotificationPreferences, before: NotificationPreferences, name: SwitchName): NotificationPreferences {
  const { topic } = switches[name]
  if (topic === null) return { ...now, isEmailOn: before.isEmailOn }
  const old = before.topics.find((each) => each.topic === topic)
  return { ...now, topics: now.topics.map((each) => (each.topic === topic && old ? old : each)) }
}

const places: Record<Channel, string> = { in_app: 'on the site', email: 'by email', push: 'in the browser' }

/** "Only on the site and by email." Null if the topic is off or uses all channels. */
export function partOf(preferences: NotificationPreferences, name: SwitchName): string | null {
  const { topic } = switches[name]
  if (topic === null) return null
  const chosen = channelsOf(preferences, topic)
  if (chosen.length === 0) return null
  const reached = chosen.filter((channel) => channel !== 'email' || preferences.isEmailOn)
  if (reached.length === channels.length) return null
  if (reached.length === 0) return 'Only by email, and email is off.'
  return `Only ${formatList(reached.map((channel) => places[channel]))}.`
}
