import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Waiting } from '#contracts/admin.endpoints.ts'
import { passSecondFactor } from '#contracts/calls/sign-in.ts'
import { CodeForm } from '#web/entities/security/code-form.tsx'
import { SetUp } from '#web/entities/security/set-up.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/lib/current-user.ts'
import { capital } from '#web/lib/format.ts'
import { cx } from '#web/ui/cx.ts'
import { Field } from '#web/ui/field.tsx'
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { waitingOptions } from './admin.api.ts'
import type { AdminSearch, AdminTab, PanelProps } from './admin-search.ts'

const panel = (load: () => Promise<ComponentType<PanelProps>>) => lazy(async () => ({ default: await load() }))
const queue = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

type TabOf = {
  value: AdminTab
  name: string
  Content: ComponentType<PanelProps>
  isForAdmins?: boolean
  waits?: keyof Waiting
}

const tabs: readonly TabOf[] = [
  { value: 'overview', name: 'Overview', Content: panel(async () => (await import('./overview-panel.tsx')).OverviewPanel) },
  {
    value: 'reports',
    name: 'Cases',
    Content: queue(async () => (await import('#web/screens/moderation/case-desk.tsx')).ModerationQueue),
    waits: 'cases',
  },
  {
    value: 'appeals',
    name: 'Appeals',
    Content: queue(async () => (await import('#web/screens/moderation/appeals-queue.tsx')).AppealsQueue),
    waits: 'appeals',
  },
  {
    value: 'claims',
    name: 'Claims',
    Content: queue(async () => (await import('./claim-queue.tsx')).ClaimQueue),
    waits: 'claims',
  },
  {
    value: 'licenses',
    name: 'Licenses',
    Content: queue(async () => (await import('./license-queue.tsx')).LicenseQueue),
    waits: 'licenses',
  },
  {
    value: 'corrections',
    name: 'Suggested changes',
    Content: queue(async () => (await import('./correction-queue.tsx')).CorrectionQueue),
    waits: 'corrections',
  },
  { value: 'people', name: 'People', Content: panel(async () => (await import('./people-panel.tsx')).PeoplePanel), isForAdmins: true },
  {
    value: 'businesses',
    name: 'Businesses',
    Content: panel(async () => (await import('./businesses-panel.tsx')).BusinessesPanel),
    isForAdmins: true,
  },
  {
    value: 'communities',
    name: 'Communities',
    Content: panel(async () => (await import('./communities-panel.tsx')).CommunitiesPanel),
    isForAdmins: true,
  },
  { value: 'plans', name: 'Plans', Content: queue(async () => (await import('./plans-panel.tsx')).PlansPanel), isForAdmins: true },
  {
    value: 'invoices',
    name: 'Invoices',
    Content: queue(async () => (await import('./invoices-panel.tsx')).InvoicesPanel),
    isForAdmins: true,
  },
  { value: 'audit', name: 'Audit log', Content: panel(async () => (await import('./audit-panel.tsx')).AuditPanel), isForAdmins: true },
  { value: 'jobs', name: 'Jobs', Content: queue(async () => (await import('./jobs-panel.tsx')).JobsPanel), isForAdmins: true },
]

export function AdminScreen({ search }: { search: AdminSearch }) {
  const user = useCurrentUser()
  if (!user || user.role === 'member') return <NotFoundScreen />
  const isAdmin = user.role === 'admin'
  return (
    <div className="mx-auto max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader
        title={isAdmin ? 'Administration' : 'Moderation'}
        description={`Pending decisions${isAdmin ? ' and system status' : ''}. Every action is recorded in the audit log.`}
      />
      <RoleGate user={user}>
        <Desk search={search} isAdmin={isAdmin} />
      </RoleGate>
    </div>
  )
}

function Desk({ search, isAdmin }: { search: AdminSearch; isAdmin: boolean }) {
  const navigate = useNavigate()
  const { data: waiting } = useQuery(waitingOptions)
  const open = tabs.filter(({ isForAdmins }) => !isForAdmins || isAdmin)
  const shown = open.find(({ value }) => value === search.tab) ?? (open[0] as TabOf)
  const go = (next: AdminSearch) => void navigate({ to: '/admin', search: next, replace: true, resetScroll: false })
  const goTo = (tab: AdminTab) => go(tab === 'overview' ? {} : { tab })
  const { Content } = shown
  return (
    <div className="mt-6 grid gap-6 lg:grid-cols-[12.5rem_minmax(0,1fr)] lg:gap-10">
      <Field label="Section" className="lg:hidden">
        <Select value={shown.value} onChange={(event) => goTo(event.target.value as AdminTab)}>
          {open.map((tab) => (
            <option key={tab.value} value={tab.value}>
              {tab.name}
              {countOf(tab, waiting) > 0 && ` (${countOf(tab, waiting)})`}
            </option>
          ))}
        </Select>
      </Field>
      <nav aria-label="Sections" className="hidden lg:block">
        <ul className="sticky top-24 grid gap-0.5">
          {open.map((tab) => (
            <li key={tab.value}>
              <button
                type="button"
                aria-current={tab === shown ? 'page' : undefined}
                onClick={() => goTo(tab.value)}
                className={cx(
                  'flex min-h-10 w-full items-center justify-between gap-3 rounded-input px-3 text-left transition-colors hover:bg-sunk',
                  tab === shown ? 'bg-leaf-soft font-medium text-ink' : 'text-muted',
                )}
              >
                {tab.name}
                <Count tab={tab} waiting={waiting} />
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-label={shown.name} className="min-w-0">
        <h2 className="sr-only">{shown.name}</h2>
        <Suspense key={shown.value} fallback={<PanelSkeleton />}>
          <Content search={search} onSearch={(next) => go({ tab: shown.value, ...next })} isAdmin={isAdmin} />
        </Suspense>
      </section>
    </div>
  )
}

const countOf = ({ waits }: TabOf, waiting: Waiting | undefined): number => (waits && waiting ? waiting[waits] : 0)

function Count({ tab, waiting }: { tab: TabOf; waiting: Waiting | undefined }) {
  const count = countOf(tab, waiting)
  if (count === 0) return null
  return (
    <span className="rounded-full bg-sunk px-2 py-0.5 font-medium text-ink text-xs tabular-nums">
      {count}
      <span className="sr-only"> pending</span>
    </span>
  )
}

const PanelSkeleton = () => (
  <SkeletonGroup className="grid gap-4">
    <Skeleton className="h-24 rounded-card" />
    <Skeleton className="h-52 rounded-card" />
  </SkeletonGroup>
)

/** Moderators and admins must set up a second factor, or enter a code again if the last one is too old. */
function RoleGate({ user, children }: { user: CurrentUser; children: ReactNode }) {
  useRoleThatEnds()
  if (user.activeRole === user.role) return children
  const isOn = user.secondFactor !== 'off'
  return (
    <section aria-labelledby="role-gate" className="mx-auto mt-6 max-w-xl rounded-card border border-line bg-surface p-5 sm:p-8">
      <div className="mb-5 flex items-start gap-4">
        <span aria-hidden="true" className="grid size-11 shrink-0 place-items-center rounded-full bg-leaf-soft text-leaf">
          <ShieldCheck className="size-5.5" />
        </span>
        <div>
          <h2 id="role-gate" className="text-xl">
            {isOn ? 'Enter your code' : 'Set up a second factor'}
          </h2>
          <p className="mt-1 text-muted">
            {isOn
              ? `${capital(namesOf[user.role])} need to enter a code from their authenticator app every 12 hours.`
              : `${capital(namesOf[user.role])} sign in with a password and an authenticator code, because a password alone can be stolen. Setup takes two minutes.`}
          </p>
        </div>
      </div>
      {isOn ? (
        <CodeForm
          send={({ code }) => call(passSecondFactor, { body: { code } })}
          changesSession
          takesRecoveryCode
          buttonText="Continue"
          pendingText="Checking..."
        />
      ) : (
        <SetUp doneText="Continue" />
      )}
    </section>
  )
}

const namesOf = { member: 'members', moderator: 'moderators', admin: 'admins' }
/** A session's second factor may expire while a page is open. The code form appears when the server first refuses a call. */
function useRoleThatEnds() {
  const client = useQueryClient()
  useEffect(() => {
    const ask = (error: unknown) => {
      if (error instanceof ApiError && error.code === 'second_factor_required') void refreshCurrentUser()
    }
    const queries = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') ask(event.action.error)
    })
    const mutations = client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') ask(event.action.error)
    })
    return () => {
      queries()
      mutations()
    }
  }, [client])
}
