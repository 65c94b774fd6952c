import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { BadgeCheck, BookOpenText, CalendarDays, SquarePen, Store, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { businessToolsPlan } from '../../../contracts/business-plans.ts'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { formatCents } from '../../../contracts/money.ts'
import { messageOf } from '../../lib/api-error.ts'
import { planWords } from '../../lib/plan-words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Select } from '../../ui/select.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { businessStandingOptions } from '../billing/billing.api.ts'
import { myBusinessesOptions } from '../businesses/businesses.api.ts'
import { type DashboardTab, dashboardTabs } from './dashboard-search.ts'
import { lastBusiness, rememberBusiness } from './last-business.ts'
import { type DashboardSection, isOpenTo, isTab, sectionNames } from './sections.ts'

const PurchaseDialog = lazyDialog(async () => (await import('../billing/purchase-dialog.tsx')).PurchaseDialog)

type DashboardFrameProps = {
  /** The tab or the page that is shown. */
  active: DashboardSection
  /** Shown once it is known which business it is about. Its headings begin at level 2. */
  children: (business: MyBusiness) => ReactNode
}

/** What every page of the dashboard stands in: which business it is about, what it has, and where else to go. */
export function DashboardFrame({ active, children }: DashboardFrameProps) {
  const { data: businesses, error, refetch, isFetching } = useQuery(myBusinessesOptions)
  const { business: wanted } = useSearch({ strict: false })
  if (!businesses) {
    if (!error) return <FrameSkeleton />
    return (
      <div className="py-10">
        <h1 className="sr-only">Business Dashboard</h1>
        <ErrorState
          title="Your businesses could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      </div>
    )
  }
  const first = businesses[0]
  if (!first) return <NoBusiness active={active} />
  const business =
    wanted === undefined
      ? (businesses.find(({ slug }) => slug === lastBusiness()) ?? first)
      : businesses.find(({ slug, id }) => slug === wanted || id === wanted)
  if (!business) return <NotYours businesses={businesses} />
  return (
    <div className="mx-auto max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <Heading business={business} businesses={businesses} active={active} />
      <Sections business={business} active={active}>
        {isOpenTo(business.role, active) ? children(business) : <NotForStaff section={active} business={business} />}
      </Sections>
    </div>
  )
}

const pages = [
  { section: 'menu', Icon: BookOpenText, to: '/business-dashboard/menu' },
  { section: 'events', Icon: CalendarDays, to: '/business-dashboard/events' },
  { section: 'profile', Icon: SquarePen, to: '/business-dashboard/profile' },
  { section: 'team', Icon: Users, to: '/business-dashboard/team' },
  { section: 'license', Icon: BadgeCheck, to: '/business-dashboard/license' },
] as const

function Heading({ business, businesses, active }: { business: MyBusiness; businesses: MyBusiness[]; active: DashboardSection }) {
  return (
    <header className="grid gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-end">
      <div className="min-w-0">
        <p className="text-muted text-sm">Business Dashboard</p>
        <h1
          data-title={`${isTab(active) ? 'Dashboard' : sectionNames[active]}: ${business.name}`}
          className="mt-0.5 text-2xl text-balance wrap-anywhere sm:text-3xl"
        >
          {business.name}
        </h1>
        <div className="mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-2">
          <PlanStatus business={business} />
          <Link to="/business/$id" params={{ id: business.slug }} className={`${textLink} text-sm`}>
            View page
          </Link>
          {businesses.length > 1 && <Switcher business={business} businesses={businesses} />}
        </div>
      </div>
      <nav aria-label="Run this business" className="flex flex-wrap gap-2 max-sm:gap-1.5 max-sm:[&>a]:flex-1">
        {pages
          .filter(({ section }) => isOpenTo(business.role, section))
          .map(({ section, Icon, to }) => (
            <Button
              key={section}
              asChild
              size="sm"
              variant="secondary"
              className="aria-[current]:bg-leaf-soft aria-[current]:text-leaf max-sm:px-1 max-sm:[&_svg]:hidden"
            >
              <Link to={to} search={{ business: business.slug }} {...(section === active && { 'aria-current': 'page' })}>
                <Icon aria-hidden="true" />
                {sectionNames[section]}
              </Link>
            </Button>
          ))}
      </nav>
    </header>
  )
}

function PlanStatus({ business }: { business: MyBusiness }) {
  const { data: standing, isPending } = useQuery(businessStandingOptions(business.id))
  if (isPending) return <Skeleton className="h-5 w-28 rounded-full" />
  // Which plan it has is a word at the side: without it the page works the same.
  if (!standing) return null
  const isActive = standing.entitlements.includes('insights') || standing.entitlements.includes('own_prices')
  // The badge names Business Tools already: they're named again to say when they end.
  const named = standing.plans.filter(({ id, endsAt }) => endsAt !== null || id !== businessToolsPlan.id)
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
  const { id, name, monthlyCents, features } = businessToolsPlan
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
          title={`${name} for ${business.name}`}
          price={{ amount: formatCents(monthlyCents), currency: 'USD' }}
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
        rememberBusiness(target.value)
        void navigate({ to: '.', search: (old) => ({ ...old, business: target.value }) })
      }}
    >
      {businesses.map(({ id, slug, name }) => (
        <option key={id} value={slug}>
          {name}
        </option>
      ))}
    </Select>
  )
}

/** The four tabs. On one of the other pages none of them is the current one. */
function Sections({ business, active, children }: { business: MyBusiness | null; active: DashboardSection; children: ReactNode }) {
  const navigate = useNavigate()
  const open = dashboardTabs.filter((tab) => business === null || isOpenTo(business.role, tab))
  const show = (tab: DashboardTab) =>
    void navigate({
      to: '/business-dashboard',
      search: { ...(business && { business: business.slug }), ...(tab !== 'overview' && { tab }) },
      replace: isTab(active),
      resetScroll: false,
    })
  return (
    <Tabs value={isTab(active) ? active : ''} onValueChange={(tab) => show(tab as DashboardTab)} className="mt-5">
      <TabList className="max-sm:gap-1" aria-label="Dashboard">
        {open.map((tab) => (
          <Tab key={tab} value={tab}>
            {sectionNames[tab]}
          </Tab>
        ))}
      </TabList>
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
      title={`${sectionNames[section]} is for the owner and managers`}
      description={`You are staff of ${business.name}: you can edit its menu and posts.`}
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
      'You’ll see here how many people find your page and what they do there. Most licensed businesses are listed already: find yours and claim it, or register it.',
  },
  subscriptions: {
    title: 'No subscriptions yet',
    description:
      'Once you have a business, you can offer subscriptions at your own price. You’ll see your subscribers and what they pay here.',
  },
  locations: {
    title: 'No locations yet',
    description: 'Once you have a business, you can add the places where people find it, with their hours and phone numbers.',
  },
  social: {
    title: 'No posts yet',
    description: 'Once you have a business, you can write posts for the people who follow it, and schedule them here.',
  },
}

/** The dashboard of a person without a business. Pages such as the menu show the first tab instead. */
function NoBusiness({ active }: { active: DashboardSection }) {
  const tab = isTab(active) ? active : 'overview'
  return (
    <div className="mx-auto max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <h1 className="text-2xl sm:text-3xl">Business Dashboard</h1>
      <div className="mt-2.5">
        <Badge variant="outline">Free Account</Badge>
      </div>
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
      <EmptyState
        title="You do not run this business"
        description="Its owner can invite you to its team. These are the businesses you run:"
      >
        {businesses.map(({ id, slug, name }) => (
          <Button key={id} asChild variant="secondary">
            <Link to="/business-dashboard" search={{ business: slug }}>
              {name}
            </Link>
          </Button>
        ))}
      </EmptyState>
    </div>
  )
}

function FrameSkeleton() {
  return (
    <SkeletonGroup label="Loading your business..." className="mx-auto max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
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
