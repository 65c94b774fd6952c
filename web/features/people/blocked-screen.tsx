import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import type { Person } from '../../../contracts/people.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { quietLink } from '../../ui/link-styles.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { useBlockBusiness } from '../businesses/use-block-business.ts'
import { BusinessLine } from './business-line.tsx'
import { blockedBusinessesOptions, blockedPeopleOptions } from './people.api.ts'
import { PersonRow, Rows } from './people-list.tsx'
import { useBlockPerson } from './use-block-person.ts'

/** Whom and what the signed-in person has blocked: the place where a block ends. */
export function BlockedScreen() {
  const [tab, setTab] = useState('people')
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <Link to="/profile" className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Your profile
      </Link>
      <PageHeader title="Blocked" description="You do not see what they write. Unblocking does not follow or subscribe again." />
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
      failure="The blocked people could not be loaded"
      empty={<EmptyState level={3} title="Nobody is blocked" description="You can block somebody from their profile." />}
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
      failure="The blocked businesses could not be loaded"
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
