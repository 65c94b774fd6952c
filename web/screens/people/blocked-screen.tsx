import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Person } from '#contracts/people.ts'
import { useBlockBusiness } from '#web/entities/businesses/block-business.ts'
import { useBlockPerson } from '#web/entities/people/block-and-mute.tsx'
import { blockedBusinessesOptions, blockedPeopleOptions } from '#web/entities/people/people.api.ts'
import { PersonRow, Rows } from '#web/entities/people/people-list.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { quietLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { BusinessLine } from './business-line.tsx'

export function BlockedScreen() {
  const [tab, setTab] = useState('people')
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <Link to="/profile" className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Your profile
      </Link>
      <PageHeader title="Blocked" description="You won’t see their posts. If you unblock someone, you have to follow or subscribe again." />
      <Tabs value={tab} onValueChange={setTab} className="mt-5">
        <TabList aria-label="Blocked">
          <Tab value="people">People</Tab>
          <Tab value="businesses">Businesses</Tab>
        </TabList>
        <TabPanel value="people">
          <h2 className="sr-only">People</h2>
          <People />
        </TabPanel>
        <TabPanel value="businesses">
          <h2 className="sr-only">Businesses</h2>
          <Businesses />
        </TabPanel>
      </Tabs>
    </div>
  )
}

function People() {
  const list = useInfiniteQuery(blockedPeopleOptions)
  return (
    <PagedList
      list={list}
      loadingLabel="Loading people..."
      skeleton={<SkeletonRow />}
      failure="The blocked people couldn’t be loaded"
      empty={<EmptyState level={3} title="No one is blocked" description="You can block people from their profile." />}
    >
      {(people) => (
        <Rows>
          {people.map((person) => (
            <BlockedPerson key={person.id} person={person} />
          ))}
        </Rows>
      )}
    </PagedList>
  )
}

function BlockedPerson({ person }: { person: Person }) {
  const { setBlocked, isPending } = useBlockPerson(person)
  return (
    <PersonRow person={person} isLinked={false}>
      <Button variant="secondary" size="sm" onClick={() => setBlocked(false)} pending={isPending} pendingText="Unblocking...">
        <span>
          Unblock<span className="sr-only"> {person.name}</span>
        </span>
      </Button>
    </PersonRow>
  )
}

function Businesses() {
  const list = useInfiniteQuery(blockedBusinessesOptions)
  return (
    <PagedList
      list={list}
      loadingLabel="Loading businesses..."
      skeleton={<SkeletonRow />}
      failure="The blocked businesses couldn’t be loaded"
      empty={<EmptyState level={3} title="No business is blocked" description="You can block a business from its page." />}
    >
      {(businesses) => (
        <Rows>
          {businesses.map((business) => (
            <BlockedBusiness key={business.id} business={business} />
          ))}
        </Rows>
      )}
    </PagedList>
  )
}

function BlockedBusiness({ business }: { business: BusinessSummary }) {
  const { setBlocked, isPending } = useBlockBusiness(business)
  return (
    <BusinessLine business={business}>
      <Button variant="secondary" size="sm" onClick={() => setBlocked(false)} pending={isPending} pendingText="Unblocking...">
        <span>
          Unblock<span className="sr-only"> {business.name}</span>
        </span>
      </Button>
    </BusinessLine>
  )
}
