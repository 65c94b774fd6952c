import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { getMenuConnection } from '#contracts/calls/integrations.ts'
import { listKeys, revokeKey } from '#contracts/calls/keys.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { MenuSync } from '#contracts/integrations.endpoints.ts'
import type { BusinessKey } from '#contracts/keys.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callOptions, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { counted, formatList, formatNumber, localDateFormat } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { quietLink, textLink } from '#web/ui/link-styles.ts'
import { EmptyNote } from '#web/ui/notice.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton, SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { MenuSourceSection } from './menu-source-section.tsx'
import { NewKeyForm, scopeWords } from './new-key-form.tsx'
import { WebhooksSection } from './webhooks-section.tsx'

type ConnectionsProps = { business: MyBusiness }

export function ConnectionsScreen({ business }: ConnectionsProps) {
  const mayManage = business.role !== 'staff'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div>
        <Link
          to="/business-dashboard/menu"
          search={{ business: business.slug }}
          className={`${quietLink} inline-flex items-center gap-1.5 text-sm`}
        >
          <ArrowLeft aria-hidden="true" className="size-4" />
          Menu
        </Link>
        <h2 className="mt-2 text-xl">Connections</h2>
        <p className="mt-1 max-w-feed text-muted">
          Connect your point of sale to keep your menu up to date. It can send the menu with an API key or publish it at an address that we
          fetch. Webhooks notify your systems of what happens here. Setup instructions are on the{' '}
          <a href="/developers" className={textLink}>
            developers page
          </a>
          .
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
          <LastSync business={business} />
          {mayManage && <Keys business={business} />}
        </div>
        {mayManage ? (
          <NewKeyForm businessId={business.id} />
        ) : (
          <p className="text-muted text-sm">Only the owner and managers can manage keys, addresses and webhooks.</p>
        )}
      </div>
      {mayManage && (
        <>
          <MenuSourceSection business={business} />
          <WebhooksSection businessId={business.id} />
        </>
      )}
    </div>
  )
}

const connectionOptions = (businessId: string) => callOptions(getMenuConnection, { params: { id: businessId } })

function LastSync({ business }: ConnectionsProps) {
  const { data, error, refetch, isFetching } = useQuery({
    ...connectionOptions(business.id),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.sync?.status === 'running' ? 1000 : (state.data?.pictures.waiting ?? 0) > 0 ? 15_000 : false,
  })
  return (
    <section aria-labelledby="last-sync" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 id="last-sync" className="text-lg">
        Last sync
      </h3>
      {!data && !error && (
        <SkeletonGroup label="Loading the last sync...">
          <Skeleton className="h-28 rounded-card" />
        </SkeletonGroup>
      )}
      {!data && error && <LoadError level={3} title="The last sync couldn’t be loaded" query={{ error, refetch, isFetching }} />}
      {data && !data.sync && (
        <EmptyNote>
          Nothing has been sent yet. Once your point of sale sends your menu, you’ll see what changed and which items had errors.
        </EmptyNote>
      )}
      {data?.sync && <SyncCard business={business} sync={data.sync} />}
      {data && <Pictures {...data.pictures} />}
    </section>
  )
}

/** Pictures arrive after their items. */
function Pictures({ waiting, failed }: ResponseOf<typeof getMenuConnection>['pictures']) {
  if (waiting + failed === 0) return null
  return (
    <p role="status" className="text-muted text-sm">
      {waiting > 0 && `${counted(waiting, 'picture')} not fetched yet. `}
      {failed > 0 && `${counted(failed, 'picture')} couldn’t be fetched. We’ll try again if your system sends them after a day.`}
    </p>
  )
}

const syncTitles: Record<MenuSync['kind'], string> = {
  full_sync: 'Complete menu',
  update: 'Some items',
  removal: 'Removed items',
}
const syncBadges: Record<MenuSync['status'], { words: string; variant: 'leaf' | 'clay' | 'neutral' }> = {
  running: { words: 'Running', variant: 'neutral' },
  done: { words: 'Done', variant: 'leaf' },
  failed: { words: 'Failed', variant: 'clay' },
  undone: { words: 'Undone', variant: 'neutral' },
}

function SyncCard({ business, sync }: { business: MyBusiness; sync: MenuSync }) {
  const counts = [
    [sync.itemsAdded, 'added'],
    [sync.itemsChanged, 'changed'],
    [sync.itemsConfirmed, 'confirmed'],
    [sync.itemsMissing, 'out of stock'],
    [sync.itemsRemoved, 'removed'],
    [sync.itemsRejected, 'rejected'],
  ] as const
  const shown = counts.filter(([count]) => count > 0)
  return (
    <Card>
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <b className="font-medium">{syncTitles[sync.kind]}</b>
          <Badge variant={syncBadges[sync.status].variant}>{syncBadges[sync.status].words}</Badge>
        </p>
        <p role="status" className="text-sm tabular-nums">
          {sync.status === 'running' && `${counted(sync.itemsReceived, 'item')} received`}
          {sync.status === 'failed' && sync.error}
          {sync.status === 'undone' && 'The menu was restored.'}
          {sync.status === 'done' &&
            (shown.length === 0 ? 'Nothing changed.' : `${formatList(shown.map(([count, word]) => `${formatNumber(count)} ${word}`))}.`)}
        </p>
        <p className="text-muted text-sm">
          <Ago at={sync.startedAt} />
          {sync.keyName !== null && ` · by key ${sync.keyName}`} ·{' '}
          <Link to="/business-dashboard/menu/import" search={{ business: business.slug }} className={textLink}>
            History
          </Link>
        </p>
        {sync.errors.length > 0 && <SyncErrors errors={sync.errors} />}
      </CardBody>
    </Card>
  )
}

const maxErrors = 100

function SyncErrors({ errors }: { errors: MenuSync['errors'] }) {
  return (
    <div className="grid gap-2">
      <h4 className="font-medium font-text text-sm">Rejected items</h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <ul className="max-h-72 overflow-y-auto rounded-input border border-line text-sm" tabIndex={0} aria-label="Rejected items">
        {errors.slice(0, maxErrors).map(({ index, id, field, message }) => (
          <li key={`${index} ${field}`} className="flex flex-wrap gap-x-4 border-line px-3 py-2 not-first:border-t">
            <span className="min-w-20 text-muted tabular-nums wrap-anywhere">{id === null ? `Item ${formatNumber(index + 1)}` : id}</span>
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              {field !== null && <code className="text-xs">{field}: </code>}
              {message}
            </span>
          </li>
        ))}
      </ul>
      {errors.length > maxErrors && <p className="text-muted text-sm">Showing the first {maxErrors}.</p>}
    </div>
  )
}

const keysOptions = (businessId: string) => pagesOptions(listKeys, { params: { id: businessId } })

function Keys({ business }: ConnectionsProps) {
  const list = useInfiniteQuery({ ...keysOptions(business.id), refetchOnMount: 'always' })
  return (
    <section aria-labelledby="keys" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 id="keys" className="text-lg">
        API keys
      </h3>
      <PagedList
        list={list}
        loadingLabel="Loading the keys..."
        skeleton={<SkeletonRow />}
        failure="The keys couldn’t be loaded"
        cards="whole"
        empty={<EmptyNote>No keys yet. Create one for the system that sends your menu or writes posts.</EmptyNote>}
      >
        {(keys) => (
          <Card asChild>
            <ul className="divide-y divide-line">
              {keys.map((key) => (
                <KeyRow key={key.id} business={business} entry={key} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </section>
  )
}

const day = localDateFormat({ dateStyle: 'medium' })

const states: Record<BusinessKey['state'], { words: string; variant: 'leaf' | 'clay' | 'neutral' }> = {
  working: { words: 'Active', variant: 'leaf' },
  expired: { words: 'Expired', variant: 'clay' },
  revoked: { words: 'Revoked', variant: 'neutral' },
  stopped: { words: 'Stopped', variant: 'clay' },
}

function KeyRow({ business, entry }: { business: MyBusiness; entry: BusinessKey }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => call(revokeKey, { params: { id: business.id, keyId: entry.id } }),
    onSuccess: async () => {
      await refreshCalls(client, [listKeys])
      setAsking(false)
      toast({ title: 'Key revoked', description: `${entry.name} can’t use it anymore.` })
    },
    onError: (error) => toast({ title: 'The key wasn’t revoked', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <b className="font-medium wrap-anywhere">{entry.name}</b>
          <Badge variant={states[entry.state].variant}>{states[entry.state].words}</Badge>
        </p>
        <p className="text-muted text-sm">
          sgk_…{entry.secretEnd} · {entry.scopes.map((scope) => scopeWords[scope].title).join(', ')}
        </p>
        <p className="text-muted text-sm">
          By {entry.createdBy} · {entry.lastUsedAt === null ? 'never used' : <>used {<Ago at={entry.lastUsedAt} />}</>}
          {entry.expiresAt !== null && entry.state === 'working' && ` · expires ${day.format(new Date(entry.expiresAt))}`}
        </p>
        {entry.state === 'stopped' && (
          <p className="text-sm">{entry.createdBy} can no longer manage keys. Create another key and revoke this one.</p>
        )}
      </div>
      {entry.state !== 'revoked' && (
        <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
          <span>
            Revoke<span className="sr-only"> {entry.name}</span>
          </span>
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Revoke “${entry.name}”?`}
        confirmText="Revoke key"
        onConfirm={() => revoke.mutate()}
        pending={revoke.isPending}
        pendingText="Revoking..."
      >
        The system that uses it will lose access immediately. A revoked key can’t be restored.
      </ConfirmDialog>
    </li>
  )
}
