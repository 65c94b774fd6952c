import { Link, useLocation } from '@tanstack/react-router'
import { Bell, Menu, MessagesSquare, PenLine } from 'lucide-react'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { ownDisplayName } from '#contracts/people.rules.ts'
import { dayMs } from '#contracts/time.ts'
import { useGuideShape } from '#web/entities/guide/guide-store.ts'
import { expireConversations, unreadMessagesOptions } from '#web/entities/messages/messages.api.ts'
import { sendTimeZone, useUnreadCount } from '#web/entities/notifications/notifications.api.ts'
import { isBusinessUser, useCurrentUser } from '#web/lib/current-user.ts'
import { onLive } from '#web/lib/live-connection.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { MemberSearch, PaletteKeys } from '#web/screens/search/member-search.tsx'
import type { AccountMenuKind } from '#web/ui/account-destinations.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { barDestinations, businessBarDestinations, mainDestinations, simpleDestinations, wideDestinations } from '#web/ui/destinations.ts'
import { LazyMenu, toastMissingCode } from '#web/ui/lazy-overlays.tsx'
import { navLink } from '#web/ui/link-styles.ts'
import { BrandLink, changeTitle, HeaderBar } from './app-frame.tsx'

export function TopHeader({ user }: { user: CurrentUser }) {
  return (
    <HeaderBar>
      <Brand />
      <MainNav destinations={mainDestinations} wide={wideDestinations} />
      <MemberSearch user={user} />
      <div className="flex items-center gap-2 sm:gap-3 lg:ml-auto">
        <Link to="/create-post" className={buttonClass('primary', 'sm', 'max-md:hidden')}>
          <PenLine aria-hidden="true" />
          <span className="max-lg:sr-only">Post</span>
        </Link>
        <MessagesLink />
        <NotificationBell />
        <AccountButton user={user} kind="top" />
      </div>
    </HeaderBar>
  )
}

export function MemberSimpleHeader({ user }: { user: CurrentUser }) {
  return (
    <HeaderBar>
      <Brand />
      <MainNav destinations={simpleDestinations} className="ml-auto" />
      <MessagesLink className="max-md:ml-auto" />
      <NotificationBell />
      <AccountButton user={user} kind="simple" />
      <PaletteKeys user={user} />
    </HeaderBar>
  )
}

/** On the narrowest phones, only the icon fits next to the buttons. */
const Brand = () => (
  <div className="max-[23rem]:[&_a>span]:sr-only">
    <BrandLink to="/" />
  </div>
)

type MainNavProps = { destinations: typeof mainDestinations; wide?: typeof wideDestinations; className?: string }

function MainNav({ destinations, wide = [], className = '' }: MainNavProps) {
  return (
    <nav aria-label="Main" className={`hidden gap-5 md:flex ${className}`}>
      {destinations.map(({ label, link }) => (
        <Link key={label} {...link} activeOptions={{ exact: true, includeSearch: false }} className={navLink}>
          {label}
        </Link>
      ))}
      {wide.map(({ label, link }) => (
        <Link key={label} {...link} activeOptions={{ includeSearch: false }} className={`${navLink} max-xl:hidden`}>
          {label}
        </Link>
      ))}
    </nav>
  )
}

const loadMenus = () => import('./account-panel.tsx')
const TopMenu = lazy(async () => ({ default: (await loadMenus()).TopAccountMenu }))
const SimpleMenu = lazy(async () => ({ default: (await loadMenus()).SimpleAccountMenu }))

function AccountButton({ user, kind }: { user: CurrentUser; kind: Exclude<AccountMenuKind, 'more'> }) {
  const name = ownDisplayName(user)
  return (
    <LazyMenu menu={kind === 'top' ? TopMenu : SimpleMenu} load={loadMenus} popup="dialog">
      <button type="button" className="touch-target shrink-0 rounded-full">
        <Avatar id={user.id} name={name} imageUrl={user.profileImageUrl} />
        <span className="sr-only">Account: {name}</span>
      </button>
    </LazyMenu>
  )
}

function MessagesLink({ className = '' }: { className?: string }) {
  const unread = useUnreadMessages()
  const shown = unread > 99 ? '99+' : unread
  return (
    <Link
      to="/messages/{-$id}"
      params={{ id: undefined }}
      aria-label={unread === 0 ? 'Messages' : `Messages, ${unread > 99 ? 'more than 99' : unread} unread`}
      className={`touch-target relative inline-grid size-10 shrink-0 place-items-center rounded-full transition-colors hover:bg-sunk [&_svg]:size-5 ${className}`}
    >
      <MessagesSquare aria-hidden="true" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute -top-0.5 -right-0.5 min-w-4.5 rounded-full bg-leaf px-1 text-center text-[0.6875rem]/4.5 font-semibold text-on-leaf tabular-nums ring-2 ring-ground"
        >
          {shown}
        </span>
      )}
    </Link>
  )
}

/** Set once the count has arrived, from the stream or the request. */
let isLoaded = false

const unreadStore = createStore(0, () => {
  const stops = [
    onLive('hello', ({ unreadMessages }) => setUnread(unreadMessages)),
    onLive('messages', ({ unread }) => {
      setUnread(unread)
      // Hovering over the link loads conversations, but the screen listens only once it opens, so it would miss messages in between.
      expireConversations(queryClient)
    }),
  ]
  // Another part of the page may already have opened the stream, so the count may have arrived.
  if (!isLoaded) {
    // Screens that show more about unread messages share this request.
    queryClient.fetchQuery(unreadMessagesOptions).then(
      ({ count }) => isLoaded || setUnread(count),
      () => undefined,
    )
  }
  return () => {
    for (const stop of stops) stop()
  }
})

function setUnread(count: number): void {
  isLoaded = true
  unreadStore.set(count)
}

/** Live, across the viewer's inboxes. Excludes requests and muted conversations. */
const useUnreadMessages = (): number => useStore(unreadStore)

const loadPanel = () => import('#web/screens/notifications/notification-panel.tsx')
const NotificationPanel = lazy(loadPanel)

function NotificationBell() {
  const unread = useUnreadCount()
  const account = useCurrentUser()?.id
  useEffect(() => void (account && sendTimeZone(account)), [account])
  useEffect(() => changeTitle({ prefix: unread > 0 ? `(${unread > 99 ? '99+' : unread}) ` : '' }), [unread])
  useEffect(() => () => changeTitle({ prefix: '' }), [])
  return (
    <>
      <LazyMenu menu={NotificationPanel} load={loadPanel} popup="dialog">
        <IconButton label={bellLabel(unread)} count={unread}>
          <Bell aria-hidden="true" />
        </IconButton>
      </LazyMenu>
      <span role="status" className="sr-only">
        {unread > 0 && bellLabel(unread)}
      </span>
    </>
  )
}

const bellLabel = (unread: number): string =>
  unread === 0 ? 'Notifications' : `Notifications, ${unread > 99 ? 'more than 99' : unread} unread`

export function BottomBar() {
  return (
    <>
      <BarLinks />
      <GuidePlace />
    </>
  )
}

const MoreSheet = lazy(async () => ({ default: (await loadMenus()).MoreSheet }))

const barItem =
  'group grid min-h-14 flex-1 content-center justify-items-center gap-0.5 rounded-tag font-medium text-muted text-xs aria-[current]:text-leaf'
const barPill =
  'grid h-7 w-14 place-items-center rounded-full transition-colors group-aria-[current]:bg-leaf-soft [&_svg]:size-5 group-aria-[current]:[&_svg]:stroke-[2.25]'

function BarLinks() {
  const user = useCurrentUser()
  return (
    <nav
      aria-label="Main"
      data-bottom-bar=""
      className="fixed inset-x-0 bottom-0 z-40 border-line border-t bg-surface pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] md:hidden"
    >
      <div className="mx-auto flex max-w-lg gap-1 px-2">
        {(user && isBusinessUser(user) ? businessBarDestinations : barDestinations).map(({ label, Icon, link }) => (
          <Link key={label} {...link} activeOptions={{ exact: link.to === '/', includeSearch: false }} className={barItem}>
            <span className={barPill}>
              <Icon aria-hidden="true" />
            </span>
            {label}
          </Link>
        ))}
        <LazyMenu menu={MoreSheet} load={loadMenus} popup="dialog">
          <button type="button" className={barItem}>
            <span className={barPill}>
              <Menu aria-hidden="true" />
            </span>
            More
          </button>
        </LazyMenu>
      </div>
    </nav>
  )
}

/** Appears unprompted, so a failure to load must not break the page. */
const Guide = lazy<ComponentType<{ isAsked: boolean }>>(() => import('#web/screens/guide/guide.tsx').catch(() => ({ default: NoGuide })))

/** Number of days after sign-up during which the guide appears on Home, unless dismissed. */
const newDays = 14

/** For new people on Home, and for anyone who opened the guide. Waits until the page is idle unless the guide's card is open. */
function GuidePlace() {
  const user = useCurrentUser()
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' })
  const shape = useGuideShape()
  const isNew = user !== null && Date.now() - Date.parse(user.createdAt) < newDays * dayMs
  const isWanted = shape !== null || (isHome && isNew)
  const isAtRest = useRest(isWanted && shape !== 'card')
  if (!user || !isWanted || (shape !== 'card' && !isAtRest)) return null
  return (
    <Suspense>
      <Guide key={user.id} isAsked={shape !== null} />
    </Suspense>
  )
}

function NoGuide({ isAsked }: { isAsked: boolean }) {
  useEffect(() => {
    if (isAsked) toastMissingCode()
  }, [isAsked])
  return null
}

function useRest(isWaiting: boolean): boolean {
  const [isAtRest, setAtRest] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    // Some browsers don't have idle callbacks.
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(() => setAtRest(true), 1000)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(() => setAtRest(true), { timeout: 3000 })
    return () => cancelIdleCallback(waiting)
  }, [isWaiting])
  return isAtRest
}
