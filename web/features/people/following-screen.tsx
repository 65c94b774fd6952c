import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx'
import { BusinessLine } from './business-line.tsx'
import type { FollowingTab } from './following-search.ts'
import { followedBusinessesOptions, followedPeopleOptions, profileOptions } from './people.api.ts'
import { PeopleFrame } from './people-frame.tsx'
import { PeopleList, Rows } from './people-list.tsx'

type FollowingScreenProps = { id: string; tab: FollowingTab; onTab: (tab: FollowingTab) => void }

/** Whom and what somebody follows. */
export function FollowingScreen({ id, tab, onTab }: FollowingScreenProps) {
  const isSelf = useQuery(profileOptions(id)).data?.isSelf ?? false
  return (
    <PeopleFrame id={id} title="Following">
      <Tabs value={tab} onValueChange={(value) => onTab(value as FollowingTab)}>
        <TabList aria-label="Following">
          <Tab value="people">People</Tab>
          <Tab value="businesses">Businesses</Tab>
        </TabList>
        <TabPanel value="people">
          <h2 className="sr-only">People</h2>
          <People id={id} isSelf={isSelf} />
        </TabPanel>
        <TabPanel value="businesses">
          <h2 className="sr-only">Businesses</h2>
          <Businesses id={id} isSelf={isSelf} />
        </TabPanel>
      </Tabs>
    </PeopleFrame>
  )
}

type ListProps = { id: string; isSelf: boolean }

function People({ id, isSelf }: ListProps) {
  const list = useInfiniteQuery(followedPeopleOptions(id))
  return (
    <PeopleList
      list={list}
      failure="The people could not be loaded"
      empty={
        <EmptyState
          level={3}
          title={isSelf ? 'You follow nobody yet' : 'Nobody to show'}
          description={
            isSelf ? 'Open the profile of somebody who posts or comments to follow them.' : 'Only people with a public profile are listed.'
          }
        >
          {isSelf && (
            <Button asChild>
              <Link to="/">Go to your feed</Link>
            </Button>
          )}
        </EmptyState>
      }
    />
  )
}

function Businesses({ id, isSelf }: ListProps) {
  const list = useInfiniteQuery(followedBusinessesOptions(id))
  return (
    <PagedList
      list={list}
      loadingLabel="Loading businesses..."
      skeleton={<SkeletonRow />}
      failure="The businesses could not be loaded"
      empty={
        <EmptyState
          level={3}
          title={isSelf ? 'You follow no business yet' : 'No businesses'}
          description={isSelf ? 'Following is free, and their posts are in your feed.' : undefined}
        >
          {isSelf && (
            <Button asChild>
              <Link to="/discover">Discover businesses</Link>
            </Button>
          )}
        </EmptyState>
      }
    >
      {(businesses) => (
        <Rows>
          {businesses.map((business) => (
            <BusinessLine key={business.id} business={business} />
          ))}
        </Rows>
      )}
    </PagedList>
  )
}
