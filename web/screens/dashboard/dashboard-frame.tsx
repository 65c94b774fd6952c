import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { businessToolsPlan } from '#contracts/business-plans.ts'
import type { MyBusiness } from '#contracts/businesses.ts'
import { listOwnTeamInvitations } from '#contracts/calls/team.ts'
import { businessPlanStatusOptions } from '#web/entities/billing/billing.api.ts'
import { planPrice } from '#web/entities/billing/billing-words.ts'
import { businessOptions, myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { callOptions } from '#web/lib/call.ts'
import { deviceItem } from '#web/lib/store.ts'
import { planWords } from '#web/lib/time-words.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs, tabClass } from '#web/ui/tabs.tsx'
import { type DashboardTab, dashboardTabs } from './dashboard-search.ts'

const PurchaseDialog = lazyDialog(async () => (await import('#web/entities/billing/purchase-dialog.tsx')).PurchaseDialog)

type DashboardFrameProps = {
  active: DashboardSection
  /** Headings start at level 2. */
  children: (business: MyBusiness) => ReactNode
}

/**
 * Links from before a merge name the business that is gone. If the viewer runs the remaining one, puts that in the address instead. Returns
 * true until this is done or ruled out.
 */
export function useMergedBusiness(wanted: string | undefined, own: readonly { id: string; slug: string }[] | undefined): boolean {
  const navigate = useNavigate()
  const isUnknown = wanted !== undefined && own !== undefined && !own.some(({ slug, id }) => slug === wanted || id === wanted)
  const { data, isLoading } = useQuery({ ...businessOptions(wanted ?? ''), enabled: isUnknown })
  const remaining = isUnknown ? own.find(({ id }) => id === data?.id)?.slug : undefined
  useEffect(() => {
    if (remaining) void navigate({ to: '.', search: (before: object) => ({ ...before, business: remaining }) as never, replace: true })
  }, [remaining, navigate])
  return isUnknown && (isLoading || remaining !== undefined)
}

export function DashboardFrame({ active, children }: DashboardFrameProps) {
  const { data: businesses, error, refetch, isFetching } = useQuery(myBusinessesOptions)
  const { business: wanted } = useSearch({ strict: false })
  const isMerged = useMergedBusiness(wanted, businesses)
  if (!businesses) {
    if (!error) return <FrameSkeleton />
    return (
      <div className="py-10">
        <h1 className="sr-only">Business Dashboard</h1>
        <LoadError title="Your businesses couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </div>
    )
  }
  const first = businesses[0]
  if (!first) return <NoBusiness active={active} />
  const business =
    wanted === undefined
      ? (businesses.find(({ slug }) => slug === lastBusiness.get()) ?? first)
      : businesses.find(({ slug, id }) => slug === wanted || id === wanted)
  if (!business) return isMerged ? <FrameSkeleton /> : <NotYours businesses={businesses} />
  return (
    <div className="mx-auto max-w-page px-4 pt-4 pb-16 sm:px-6 sm:pt-8">
      <Heading business={business} businesses={businesses} active={active} />
      <Sections business={business} active={active}>
        {isOpenTo(business.role, active) ? (
          children(business)
        ) : active === 'overview' ? (
          // Staff work on the menu, so they see it if the address names no tab.
          <Navigate to="/business-dashboard/menu" search={{ business: business.slug }} replace />
        ) : (
          <NotForStaff section={active} business={business} />
        )}
      </Sections>
    </div>
  )
}

const pages = [
  { section: 'menu', to: '/business-dashboard/menu' },
  { section: 'events', to: '/business-dashboard/events' },
  { section: 'profile', to: '/business-dashboard/profile' },
  { section: 'team', to: '/business-dashboard/team' },
  { section: 'license', to: '/business-dashboard/license' },
] as const

function Heading({ business, businesses, active }: { business: MyBusiness; businesses: MyBusiness[]; active: DashboardSection }) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
      <div className="min-w-0">
        <p className="text-muted text-sm max-sm:hidden">Business Dashboard</p>
        <h1
          data-title={`${isTab(active) ? 'Dashboard' : sectionNames[active]}: ${business.label}`}
          className="text-xl text-balance wrap-anywhere sm:mt-0.5 sm:text-3xl"
        >
          {business.label}
        </h1>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:pb-1">
        <PlanStatus business={business} />
        <Link to="/business/$id" params={{ id: business.slug }} className={`${textLink} text-sm`}>
          View page
        </Link>
        {businesses.length > 1 && (
          <>
            <Switcher business={business} businesses={businesses} />
            <Link to="/business-dashboard/groups" className={`${textLink} text-sm`}>
              All shops
            </Link>
          </>
        )}
      </div>
    </header>
  )
}

function PlanStatus({ business }: { business: MyBusiness }) {
  const { data: planStatus, isPending } = useQuery(businessPlanStatusOptions(business.id))
  if (isPending) return <Skeleton className="h-5 w-28 rounded-full" />
  // Optional, so an error renders nothing.
  if (!planStatus) return null
  const isActive = planStatus.entitlements.includes('insights') || planStatus.entitlements.includes('own_prices')
  // The badge names Business Tools, so list that plan only to show when it ends.
  const named = planStatus.plans.filter(({ id, endsAt }) => endsAt !== null || id !== businessToolsPlan.id)
  return (
    <>
      <Badge variant={isActive ? 'leaf' : 'outline'}>{isActive ? 'Business Tools Active' : 'Free Account'}</Badge>
      {named.length > 0 && <span className="text-sm">{named.map(({ name, endsAt }) => planWords(name, endsAt)).join(', ')}</span>}
      {!isActive && business.role === 'owner' && <Upgrade business={business} />}
    </>
  )
}

function Upgrade({ business }: { business: MyBusiness }) {
  const [isOpen, setOpen] = useState(false)
  const { id, name, features } = businessToolsPlan
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className={`${textLink} text-sm`}>
        Upgrade
      </button>
      {isOpen && (
        <PurchaseDialog
          open
          onOpenChange={setOpen}
          order={{ planId: id, businessId: business.id }}
          title={`${name} for ${business.label}`}
          price={planPrice(businessToolsPlan)}
          features={features}
        />
      )}
    </>
  )
}

function Switcher({ business, businesses }: { business: MyBusiness; businesses: MyBusiness[] }) {
  const navigate = useNavigate()
  return (
    <Select
      aria-label="Business"
      value={business.slug}
      className="max-w-64 py-1 text-sm"
      onChange={({ target }) => {
        lastBusiness.set(target.value)
        void navigate({ to: '.', search: (old) => ({ ...old, business: target.value }) })
      }}
    >
      {businesses.map(({ id, slug, label }) => (
        <option key={id} value={slug}>
          {label}
        </option>
      ))}
    </Select>
  )
}

/** In pixels. Leaves part of the next entry visible, as a hint that the row scrolls. */
const edge = 24

/** Links to other pages follow the four tabs. On those pages, no tab is selected. Scrolls on phones. */
function Sections({ business, active, children }: { business: MyBusiness | null; active: DashboardSection; children: ReactNode }) {
  const navigate = useNavigate()
  const open = dashboardTabs.filter((tab) => business === null || isOpenTo(business.role, tab))
  const row = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const current = row.current?.querySelector('[aria-selected="true"], [aria-current]')
    if (!row.current || !current) return
    const beyond = current.getBoundingClientRect().right - row.current.getBoundingClientRect().right
    if (beyond > 0) row.current.scrollLeft += beyond + edge
  }, [])
  const show = (tab: DashboardTab) =>
    void navigate({
      to: '/business-dashboard',
      search: { ...(business && { business: business.slug }), ...(tab !== 'overview' && { tab }) },
      replace: isTab(active),
      resetScroll: false,
    })
  return (
    <Tabs value={isTab(active) ? active : ''} onValueChange={(tab) => show(tab as DashboardTab)} className="mt-2 sm:mt-5">
      <div ref={row} className="flex gap-1 overflow-x-auto border-line border-b [scrollbar-width:none] max-sm:-mx-4 max-sm:px-4 sm:gap-4">
        <TabList className="shrink-0 gap-1! overflow-visible! border-b-0! sm:gap-4!" aria-label="Dashboard">
          {open.map((tab) => (
            <Tab key={tab} value={tab}>
              {sectionNames[tab]}
            </Tab>
          ))}
        </TabList>
        {business && (
          <nav aria-label="This business" className="flex shrink-0 gap-1 sm:gap-4">
            {pages
              .filter(({ section }) => isOpenTo(business.role, section))
              .map(({ section, to }) => (
                <Link
                  key={section}
                  to={to}
                  search={{ business: business.slug }}
                  className={`${tabClass} flex items-center aria-[current]:text-ink aria-[current]:after:bg-leaf`}
                  {...(section === active && { 'aria-current': 'page' })}
                >
                  {sectionNames[section]}
                </Link>
              ))}
          </nav>
        )}
      </div>
      {open.map((tab) => (
        <TabPanel key={tab} value={tab} className="pt-6">
          {tab === active && children}
        </TabPanel>
      ))}
      {!(isTab(active) && open.includes(active)) && <div className="pt-6">{children}</div>}
    </Tabs>
  )
}

function NotForStaff({ section, business }: { section: DashboardSection; business: MyBusiness }) {
  const search = { business: business.slug }
  return (
    <EmptyState
      title={`Only the owner and managers can open ${sectionNames[section]}`}
      description={`As staff at ${business.label}, you can edit its menu and posts.`}
    >
      <Button asChild>
        <Link to="/business-dashboard/menu" search={search}>
          Menu
        </Link>
      </Button>
      <Button asChild variant="secondary">
        <Link to="/business-dashboard" search={{ ...search, tab: 'social' }}>
          Social
        </Link>
      </Button>
    </EmptyState>
  )
}

const beforeBusiness: Record<DashboardTab, { title: string; description: string }> = {
  overview: {
    title: 'No business yet',
    description:
      'Once you have a business, you’ll see how many people find its page and what they do there. Most licensed businesses are already listed: find yours and claim it, or register it.',
  },
  subscriptions: {
    title: 'No subscriptions yet',
    description:
      'Once you have a business, you can offer subscriptions at your own price. You’ll see your subscribers and what they pay here.',
  },
  locations: {
    title: 'No locations yet',
    description: 'Once you have a business, you can add its locations, with hours and phone numbers.',
  },
  social: {
    title: 'No posts yet',
    description: 'Once you have a business, you can write posts for the people who follow it, and schedule them here.',
  },
}

/** On pages that aren't tabs, shows the first tab's text. */
function NoBusiness({ active }: { active: DashboardSection }) {
  const tab = isTab(active) ? active : 'overview'
  const { data: invitations = [] } = useQuery(callOptions(listOwnTeamInvitations, {}))
  return (
    <div className="mx-auto max-w-page px-4 pt-4 pb-16 sm:px-6 sm:pt-8">
      <h1 className="text-2xl sm:text-3xl">Business Dashboard</h1>
      <div className="mt-2.5">
        <Badge variant="outline">Free Account</Badge>
      </div>
      {invitations.map(({ id, business, role }) => (
        <div key={id} className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface p-4">
          <p className="wrap-anywhere">
            You’re invited to help run {business.name} as {role === 'manager' ? 'a manager' : 'staff'}.
          </p>
          <Button asChild size="sm">
            <Link to="/invitations/$token" params={{ token: id }}>
              View invitation
            </Link>
          </Button>
        </div>
      ))}
      <Sections business={null} active={tab}>
        <EmptyState {...beforeBusiness[tab]}>
          <Button asChild>
            <Link to="/business/register">
              <Store aria-hidden="true" />
              Register Business
            </Link>
          </Button>
          <Button asChild variant="secondary">
            <Link to="/discover">Find your listing</Link>
          </Button>
        </EmptyState>
      </Sections>
    </div>
  )
}

function NotYours({ businesses }: { businesses: MyBusiness[] }) {
  return (
    <div className="mx-auto max-w-page px-4 py-10 sm:px-6">
      <h1 className="sr-only">Business Dashboard</h1>
      <EmptyState title="You don’t run this business" description="Its owner can invite you to its team. These are the businesses you run:">
        {businesses.map(({ id, slug, label }) => (
          <Button key={id} asChild variant="secondary">
            <Link to="/business-dashboard" search={{ business: slug }}>
              {label}
            </Link>
          </Button>
        ))}
      </EmptyState>
    </div>
  )
}

function FrameSkeleton() {
  return (
    <SkeletonGroup label="Loading your business..." className="mx-auto max-w-page px-4 pt-4 pb-16 sm:px-6 sm:pt-8">
      <Skeleton className="h-4 w-36 rounded-full" />
      <Skeleton className="mt-2.5 h-8 w-3/5 max-w-80 rounded-full" />
      <Skeleton className="mt-4 h-5 w-28 rounded-full" />
      <Skeleton className="mt-7 h-10 w-full max-w-md" />
      <div className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Skeleton className="h-28 rounded-card" />
        <Skeleton className="h-28 rounded-card" />
        <Skeleton className="h-28 rounded-card" />
        <Skeleton className="h-28 rounded-card" />
      </div>
      <Skeleton className="mt-4 h-72 rounded-card" />
    </SkeletonGroup>
  )
}

/** By slug. */
const lastBusiness = deviceItem('dashboard.business')

type DashboardPage = 'menu' | 'events' | 'profile' | 'team' | 'license'
type DashboardSection = DashboardTab | DashboardPage

const sectionNames: Record<DashboardSection, string> = {
  overview: 'Overview',
  subscriptions: 'Subscriptions',
  locations: 'Locations',
  social: 'Social',
  menu: 'Menu',
  events: 'Events',
  profile: 'Page',
  team: 'Team',
  license: 'License',
}

/** Staff can edit the menu, post, publish events and see the team. Only owners and managers can open the other sections. */
const ofStaff: readonly DashboardSection[] = ['social', 'menu', 'events', 'team']

/** Only affects what people see, because the server authorizes each call. */
const isOpenTo = (role: MyBusiness['role'], section: DashboardSection): boolean => role !== 'staff' || ofStaff.includes(section)

const isTab = (section: DashboardSection): section is DashboardTab => dashboardTabs.some((tab) => tab === section)
