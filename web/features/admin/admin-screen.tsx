import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { NotFoundScreen } from '../not-found/not-found-screen.tsx'
import type { AdminTab } from './admin-search.ts'

const ClaimQueue = lazy(async () => ({ default: (await import('../claims/claim-queue.tsx')).ClaimQueue }))
const LicenseQueue = lazy(async () => ({ default: (await import('../verification/license-queue.tsx')).LicenseQueue }))
const InvoicesPanel = lazy(async () => ({ default: (await import('../billing/invoices-panel.tsx')).InvoicesPanel }))

const tabs = [
  { value: 'claims', name: 'Claims', Content: ClaimQueue, isForAdmins: false },
  { value: 'licenses', name: 'Licenses', Content: LicenseQueue, isForAdmins: false },
  { value: 'invoices', name: 'Invoices', Content: InvoicesPanel, isForAdmins: true },
] as const

/** What waits for moderators and admins. For everybody else there is nothing here; it is the server that decides each call. */
export function AdminScreen({ tab }: { tab: AdminTab }) {
  const user = useCurrentUser()
  const navigate = useNavigate()
  if (!user || user.role === 'member') return <NotFoundScreen />
  const open = tabs.filter(({ isForAdmins }) => !isForAdmins || user.role === 'admin')
  const shown = open.some(({ value }) => value === tab) ? tab : 'claims'
  return (
    <div className="mx-auto max-w-page px-4 pt-6 pb-16 sm:px-6 sm:pt-8">
      <PageHeader title="Moderation" description="What waits for a person to decide. Every step is written into the audit log." />
      <Tabs
        value={shown}
        onValueChange={(value) =>
          void navigate({ to: '/admin', search: value === 'claims' ? {} : { tab: value as AdminTab }, replace: true, resetScroll: false })
        }
        className="mt-5"
      >
        <TabList aria-label="Moderation">
          {open.map(({ value, name }) => (
            <Tab key={value} value={value}>
              {name}
            </Tab>
          ))}
        </TabList>
        {open.map(({ value, name, Content }) => (
          <TabPanel key={value} value={value}>
            <h2 className="sr-only">{name}</h2>
            <Suspense fallback={<QueueSkeleton />}>
              <Content />
            </Suspense>
          </TabPanel>
        ))}
      </Tabs>
    </div>
  )
}

const QueueSkeleton = () => (
  <SkeletonGroup className="grid gap-4">
    <Skeleton className="h-52 rounded-card" />
    <Skeleton className="h-52 rounded-card" />
  </SkeletonGroup>
)
