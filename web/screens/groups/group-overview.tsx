import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { BadgeCheck, BookOpenText, Clock, Copy, Ellipsis, FileUp, MessageCircle, Plus, Star, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { joinGroup, leaveGroup, setGroupHours } from '#contracts/calls/groups.ts'
import { listLocations } from '#contracts/calls/locations.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import type { BusinessGroup, GroupedBusiness } from '#contracts/groups.endpoints.ts'
import type { WeeklyHours } from '#contracts/locations.ts'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { weekLines } from '#web/entities/locations/hours-words.ts'
import { Confirmed } from '#web/entities/menus/confirmed.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { counted, dateFormat, formatNumber, possessive } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { ConfirmDialog, Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { FieldGroup, FormError } from '#web/ui/field.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { GroupImport } from './group-import.tsx'
import { groupBusinessesOptions, refreshGroups } from './groups.api.ts'

type GroupOverviewProps = { group: BusinessGroup; owned: readonly MyBusiness[] }

export function GroupOverview({ group, owned }: GroupOverviewProps) {
  const list = useInfiniteQuery({ ...groupBusinessesOptions(group.id), refetchOnMount: 'always' })
  const businesses = list.data?.pages.flatMap(({ items }) => items) ?? []
  const [copies, setCopies] = useState<string | null>(null)
  const [isImporting, setImporting] = useState(false)
  const change = useMembership(group)
  /** Set while asking whether to remove the last shop, which deletes the group. */
  const [last, setLast] = useState<GroupedBusiness | null>(null)
  const others = owned.filter(({ id }) => !businesses.some((inside) => inside.id === id))
  return (
    <section aria-label="Shops" className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-4">
      {businesses.length > 1 && (
        <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => setImporting(true)}>
          <FileUp aria-hidden="true" />
          Import a file into several menus
        </Button>
      )}
      <PagedList
        list={list}
        loadingLabel="Loading your shops..."
        skeleton={<Skeleton className="h-72 rounded-card" />}
        failure="Your shops couldn’t be loaded"
        cards="each"
        empty={<ListNote title="No shops in this group">You no longer work at any of its shops.</ListNote>}
      >
        {(shops) => (
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2 xl:grid-cols-3">
            {shops.map((shop) => (
              <li key={shop.id}>
                <ShopCard
                  shop={shop}
                  onCopyHours={group.isOwner && shops.length > 1 && shop.hours ? () => setCopies(shop.id) : null}
                  onRemove={group.isOwner ? () => (group.businessCount === 1 ? setLast(shop) : change.mutate({ shop, isIn: false })) : null}
                />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {group.isOwner && list.data && !list.hasNextPage && others.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-muted text-sm">Add a shop you own:</span>
          {others.map((shop) => (
            <Button
              key={shop.id}
              variant="secondary"
              size="sm"
              aria-disabled={change.isPending}
              onClick={() => !change.isPending && change.mutate({ shop, isIn: true })}
            >
              <Plus aria-hidden="true" />
              {shop.label}
            </Button>
          ))}
        </div>
      )}
      <ConfirmDialog
        open={last !== null}
        onOpenChange={(open) => !open && setLast(null)}
        title={`Delete “${group.name}”?`}
        confirmText="Delete group"
        onConfirm={() => last && change.mutate({ shop: last, isIn: false })}
        pending={change.isPending}
        pendingText="Deleting..."
      >
        You’re removing the group’s last shop, which deletes the group and the roles people have through it. The shop isn’t deleted.
      </ConfirmDialog>
      {isImporting && <GroupImport shops={businesses} onClose={() => setImporting(false)} />}
      {copies !== null && <HoursDialog groupId={group.id} businesses={businesses} fromId={copies} onClose={() => setCopies(null)} />}
    </section>
  )
}

type Change = { shop: { id: string; label: string }; isIn: boolean }

function useMembership(group: BusinessGroup) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const mutation = useMutation({
    mutationFn: async ({ shop, isIn }: Change) => {
      const params = { id: group.id, businessId: shop.id }
      await (isIn ? call(joinGroup, { params }) : call(leaveGroup, { params }))
    },
    onSuccess: async (_, { shop, isIn }) => {
      const isDeleted = !isIn && group.businessCount === 1
      toast({
        title: isDeleted ? `“${group.name}” deleted` : isIn ? `${shop.label} added` : `${shop.label} removed from the group`,
        ...(isIn || isDeleted ? {} : { action: { label: 'Undo', onClick: () => mutation.mutate({ shop, isIn: true }) } }),
      })
      if (isDeleted) await navigate({ to: '/business-dashboard/groups', search: {}, replace: true })
      await refreshGroups(client)
    },
    onError: (error) => toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
  })
  return mutation
}

type ShopCardProps = { shop: GroupedBusiness; onCopyHours: (() => void) | null; onRemove: (() => void) | null }

function ShopCard({ shop, onCopyHours, onRemove }: ShopCardProps) {
  const { slug, label, role, menu, unansweredReviewCount, unreadMessageCount, followerCount } = shop
  const search = { business: slug }
  const isManager = role !== 'staff'
  return (
    <Card asChild className="h-full">
      <article>
        <CardBody className="grid gap-4">
          <div className="flex items-start gap-3">
            <Avatar id={shop.id} name={shop.name} imageUrl={shop.imageUrl} />
            <div className="min-w-0 flex-1">
              <h2 className="font-semibold text-base wrap-anywhere">
                <Link
                  to={isManager ? '/business-dashboard' : '/business-dashboard/menu'}
                  search={search}
                  className="touch-target hover:underline hover:underline-offset-3"
                >
                  {label}
                </Link>
              </h2>
              {shop.location && <p className="text-muted text-sm wrap-anywhere">{shop.location}</p>}
            </div>
            {(onCopyHours || onRemove) && (
              <Menu>
                <MenuTrigger asChild>
                  <IconButton label={`More actions for ${label}`} size="sm">
                    <Ellipsis aria-hidden="true" />
                  </IconButton>
                </MenuTrigger>
                <MenuContent>
                  {onCopyHours && (
                    <MenuItem onSelect={onCopyHours}>
                      <Copy aria-hidden="true" />
                      Copy hours to other shops
                    </MenuItem>
                  )}
                  {onRemove && <MenuItem onSelect={onRemove}>Remove from the group</MenuItem>}
                </MenuContent>
              </Menu>
            )}
          </div>
          <ul className="grid gap-0.5 text-[0.9375rem]">
            <Line Icon={BookOpenText}>
              <Link to="/business-dashboard/menu" search={search} className={lineLink}>
                {menu.itemCount === 0 ? 'No menu yet' : counted(menu.itemCount, 'item')}
              </Link>
              {menu.confirmedAt && <Confirmed at={menu.confirmedAt} />}
            </Line>
            <Line Icon={Star} isUrgent={unansweredReviewCount > 0}>
              <Link to="/business/$id" params={{ id: slug }} search={{ tab: 'reviews' }} hash="more" className={lineLink}>
                {unansweredReviewCount === 0 ? 'No unanswered reviews' : counted(unansweredReviewCount, 'unanswered review')}
              </Link>
            </Line>
            <Line Icon={MessageCircle} isUrgent={unreadMessageCount > 0}>
              <Link to="/messages/{-$id}" params={{ id: undefined }} search={{ inbox: shop.id }} className={lineLink}>
                {unreadMessageCount === 0 ? 'No unread messages' : counted(unreadMessageCount, 'unread message')}
              </Link>
            </Line>
            <Line Icon={BadgeCheck} isUrgent={shop.license.status === 'expired' || shop.license.status === 'none'}>
              {isManager ? (
                <Link to="/business-dashboard/license" search={search} className={lineLink}>
                  {licenseWords(shop.license)}
                </Link>
              ) : (
                licenseWords(shop.license)
              )}
            </Line>
            <Line Icon={Clock} isUrgent={shop.hours === null}>
              {isManager ? (
                <Link to="/business-dashboard" search={{ ...search, tab: 'locations' }} className={lineLink}>
                  {shop.hours === null ? 'Add hours' : <OpenLine location={shop} />}
                </Link>
              ) : shop.hours === null ? (
                'No hours yet'
              ) : (
                <OpenLine location={shop} />
              )}
            </Line>
            <Line Icon={Users}>{followerCount === 1 ? '1 follower' : `${formatNumber(followerCount)} followers`}</Line>
          </ul>
        </CardBody>
      </article>
    </Card>
  )
}

const lineLink = 'rounded-tag underline decoration-line underline-offset-3 hover:decoration-current'

type LineProps = { Icon: typeof Clock; isUrgent?: boolean; children: ReactNode }

const Line = ({ Icon, isUrgent = false, children }: LineProps) => (
  <li className="flex min-h-8 flex-wrap items-center gap-x-2.5 tabular-nums pointer-coarse:min-h-11">
    <Icon aria-hidden="true" className={cx('size-4.5 shrink-0', isUrgent ? 'text-clay' : 'text-muted')} />
    {children}
  </li>
)

const day = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })

function licenseWords({ status, expiresOn }: GroupedBusiness['license']): string {
  if (status === 'verified') return expiresOn ? `License verified until ${day.format(new Date(expiresOn))}` : 'License verified'
  return { pending: 'License in review', expired: 'License expired', none: 'License not verified' }[status]
}

type Hours = InputOf<typeof setGroupHours>['body']['businesses']

const isSame = (one: WeeklyHours | null, other: WeeklyHours | null) => JSON.stringify(one) === JSON.stringify(other)

type HoursDialogProps = { groupId: string; businesses: readonly GroupedBusiness[]; fromId: string; onClose: () => void }

function HoursDialog({ groupId, businesses, fromId, onClose }: HoursDialogProps) {
  const client = useQueryClient()
  const from = businesses.find(({ id }) => id === fromId)
  const hours = from?.hours ?? null
  const others = businesses.filter(({ id, hours: own }) => id !== fromId && !isSame(own, hours))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(others.map(({ id }) => id)))
  const set = useMutation({
    mutationFn: (changes: Hours) => call(setGroupHours, { params: { id: groupId }, body: { businesses: changes } }),
    onSuccess: async ({ before }, changes) => {
      const isUndo = changes.some((each) => !isSame(each.hours, hours))
      toast(
        isUndo
          ? { title: 'Hours restored' }
          : { title: `Hours changed for ${counted(changes.length, 'shop')}`, action: { label: 'Undo', onClick: () => set.mutate(before) } },
      )
      onClose()
      await Promise.all([refreshGroups(client), refreshCalls(client, [listLocations])])
    },
    onError: (error) => toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
  })
  if (!from || !hours) return null
  const changes = others.flatMap(({ id }) => (chosen.has(id) ? [{ businessId: id, hours }] : []))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Copy ${possessive(from.label)} hours`}
        description="This replaces the weekly hours of the shops you choose. Special days and time zones won’t change."
        actions={
          <>
            <DialogCancel />
            <Button disabled={changes.length === 0} pending={set.isPending} pendingText="Copying..." onClick={() => set.mutate(changes)}>
              Copy to {counted(changes.length, 'shop')}
            </Button>
          </>
        }
      >
        <div className="grid gap-5">
          <Week hours={hours} />
          {others.length === 0 ? (
            <p className="text-muted">All shops in this group have these hours.</p>
          ) : (
            <FieldGroup legend="Copy to">
              {others.map((shop) => (
                <Checkbox
                  key={shop.id}
                  checked={chosen.has(shop.id)}
                  onChange={({ target }) =>
                    setChosen((before) => new Set(target.checked ? [...before, shop.id] : [...before].filter((id) => id !== shop.id)))
                  }
                  hint={`Now: ${shop.hours ? weekWords(shop.hours) : 'no hours'}`}
                >
                  {shop.label}
                </Checkbox>
              ))}
            </FieldGroup>
          )}
          {set.error && <FormError>{messageOf(set.error)}</FormError>}
        </div>
      </DialogContent>
    </Dialog>
  )
}

const weekWords = (hours: WeeklyHours): string =>
  weekLines(hours)
    .map(({ days, words }) => `${days} ${words}`)
    .join(', ')

const Week = ({ hours }: { hours: WeeklyHours }) => (
  <dl className="grid gap-1 rounded-input bg-sunk px-4 py-3 text-sm tabular-nums">
    {weekLines(hours).map(({ days, words }) => (
      <div key={days} className="flex flex-wrap justify-between gap-x-4">
        <dt className="font-normal text-muted">{days}</dt>
        <dd>{words}</dd>
      </div>
    ))}
  </dl>
)
