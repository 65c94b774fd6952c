import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Person } from '#contracts/people.ts'
import { useBlockBusiness } from '#web/entities/businesses/block-business.ts'
import { type Muted, useBlockPerson, useMute } from '#web/entities/people/block-and-mute.tsx'
import {
  blockedBusinessesOptions,
  blockedPeopleOptions,
  mutedBusinessesOptions,
  mutedPeopleOptions,
} from '#web/entities/people/people.api.ts'
import { BusinessLine, PersonRow, Rows } from '#web/entities/people/people-list.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { quietLink } from '#web/ui/link-styles.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx'

export function BlockedScreen() {
  const [tab, setTab] = useState('people')
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <Link to="/settings" hash="privacy" className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Settings
      </Link>
      <PageHeader
        title="Blocked"
        description="You won’t see their posts. If you unblock someone, you’ll have to follow or subscribe again."
      />
      <Tabs value={tab} onValueChange={setTab} className="mt-5">
        <TabList aria-label="Blocked">
          <Tab value="people">People</Tab>
          <Tab value="businesses">Businesses</Tab>
        </TabList>
        <TabPanel value="people">
          <h2 className="sr-only">People</h2>
          <BlockedPeople />
        </TabPanel>
        <TabPanel value="businesses">
          <h2 className="sr-only">Businesses</h2>
          <BlockedBusinesses />
        </TabPanel>
      </Tabs>
    </div>
  )
}

function BlockedPeople() {
  const list = useInfiniteQuery(blockedPeopleOptions)
  return (
    <PagedList
      list={list}
      loadingLabel="Loading people..."
      skeleton={<SkeletonRow />}
      failure="The blocked people couldn’t be loaded"
      empty={<EmptyState level={3} title="No blocked people" description="You can block people from their profile." />}
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

function BlockedBusinesses() {
  const list = useInfiniteQuery(blockedBusinessesOptions)
  return (
    <PagedList
      list={list}
      loadingLabel="Loading businesses..."
      skeleton={<SkeletonRow />}
      failure="The blocked businesses couldn’t be loaded"
      empty={<EmptyState level={3} title="No blocked businesses" description="You can block a business from its page." />}
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

export function MutedScreen() {
  const [tab, setTab] = useState('people')
  return (
    <div className="mx-auto max-w-feed px-4 pt-6 pb-16 sm:px-6">
      <Link to="/settings" hash="privacy" className={`${quietLink} mb-3 inline-flex min-h-8 items-center gap-1.5 text-sm`}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        Settings
      </Link>
      <PageHeader
        title="Muted"
        description="Posts, comments and likes from muted people and businesses don’t appear in your feed or notifications. No one is notified when you mute them, and you’ll still follow them."
      />
      <Tabs value={tab} onValueChange={setTab} className="mt-5">
        <TabList aria-label="Muted">
          <Tab value="people">People</Tab>
          <Tab value="businesses">Businesses</Tab>
        </TabList>
        <TabPanel value="people">
          <h2 className="sr-only">People</h2>
          <MutedPeople />
        </TabPanel>
        <TabPanel value="businesses">
          <h2 className="sr-only">Businesses</h2>
          <MutedBusinesses />
        </TabPanel>
      </Tabs>
    </div>
  )
}

function MutedPeople() {
  const list = useInfiniteQuery(mutedPeopleOptions)
  return (
    <PagedList
      list={list}
      loadingLabel="Loading people..."
      skeleton={<SkeletonRow />}
      failure="The muted people couldn’t be loaded"
      empty={<EmptyState level={3} title="No muted people" description="You can mute people from the menu on their posts." />}
    >
      {(people) => (
        <Rows>
          {people.map((person) => (
            <PersonRow key={person.id} person={person}>
              <UnmuteButton muted={{ kind: 'person', id: person.id, name: person.name }} />
            </PersonRow>
          ))}
        </Rows>
      )}
    </PagedList>
  )
}

function MutedBusinesses() {
  const list = useInfiniteQuery(mutedBusinessesOptions)
  return (
    <PagedList
      list={list}
      loadingLabel="Loading businesses..."
      skeleton={<SkeletonRow />}
      failure="The muted businesses couldn’t be loaded"
      empty={<EmptyState level={3} title="No muted businesses" description="You can mute a business from the menu on its posts." />}
    >
      {(businesses) => (
        <Rows>
          {businesses.map((business) => (
            <BusinessLine key={business.id} business={business}>
              <UnmuteButton muted={{ kind: 'business', id: business.id, name: business.name }} />
            </BusinessLine>
          ))}
        </Rows>
      )}
    </PagedList>
  )
}

function UnmuteButton({ muted }: { muted: Muted }) {
  const { setMuted, isPending } = useMute(muted)
  return (
    <Button variant="secondary" size="sm" onClick={() => setMuted(false)} pending={isPending} pendingText="Unmuting...">
      <span>
        Unmute<span className="sr-only"> {muted.name}</span>
      </span>
    </Button>
  )
}
