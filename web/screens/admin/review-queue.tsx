import { type UseInfiniteQueryResult, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { ReasonDialog } from '#web/forms/reason-dialog.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import type { ListPage } from '#web/lib/call.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

type ReviewQueueProps<Item> = {
  list: UseInfiniteQueryResult<{ pages: ListPage<Item>[] }>
  what: string
  /** False for a list of resolved items, newest first. */
  isPending?: boolean
  empty: string
  idOf: (item: Item) => string
  /** `onDecided` moves the focus to the heading, because a decided card leaves the list. */
  children: (item: Item, onDecided: () => void) => ReactNode
}

export function ReviewQueue<Item>({ list, what, isPending = true, empty, idOf, children }: ReviewQueueProps<Item>) {
  const start = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <h3 ref={start} tabIndex={-1} className="sr-only">
        {isPending ? 'Pending, oldest first' : 'Resolved, newest first'}
      </h3>
      <PagedList
        list={list}
        loadingLabel={`Loading ${what}...`}
        skeleton={<Skeleton className="h-60 rounded-card" />}
        failure={`The ${what} couldn’t be loaded`}
        empty={<EmptyState level={3} title={`No ${isPending ? 'pending' : 'resolved'} ${what}`} description={empty} />}
      >
        {(items) => (
          <ul className="grid gap-4">
            {items.map((item) => (
              <li key={idOf(item)}>{children(item, () => start.current?.focus())}</li>
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}

type ReviewCardProps = {
  label: string
  business: { name: string; slug: string }
  subtitle: ReactNode
  badges: ReactNode
  createdAt: string
  children: ReactNode
}

export function ReviewCard({ label, business, subtitle, badges, createdAt, children }: ReviewCardProps) {
  return (
    <Card asChild>
      <article aria-label={label}>
        <CardBody className="grid gap-4">
          <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <div className="min-w-0">
              <h3 className="text-lg wrap-anywhere">
                <Link
                  to="/business/$id"
                  params={{ id: business.slug }}
                  className="touch-target rounded-tag hover:underline hover:underline-offset-3"
                >
                  {business.name}
                </Link>
              </h3>
              <p className="text-muted text-sm">{subtitle}</p>
            </div>
            <div className="flex flex-wrap items-center gap-2 text-sm">
              {badges}
              <Ago at={createdAt} className="text-muted" />
            </div>
          </header>
          {children}
        </CardBody>
      </article>
    </Card>
  )
}

type ReviewDecisionProps = {
  name: string
  /** Null if the viewer can't approve the item. `send` returns a message about the result. */
  approve: { title: string; words: string; isDanger?: boolean; send: () => Promise<string> } | null
  note?: string
  reject: { title: string; hint: string; done: string; send: (reason: string) => Promise<unknown> }
  refresh: () => Promise<unknown>
  onDecided: () => void
}

export function ReviewDecision({ name, approve, note, reject, refresh, onDecided }: ReviewDecisionProps) {
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null)
  const deciding = useMutation({
    mutationFn: (send: () => Promise<string>) => send(),
    onSuccess: async (title) => {
      setDialog(null)
      toast({ title, description: name })
      await refresh()
      onDecided()
    },
    onError: (error) => {
      setDialog(null)
      toast({ title: 'The decision wasn’t saved', description: messageOf(error), variant: 'destructive' })
      void refresh()
    },
  })
  return (
    <div className="flex flex-wrap items-center gap-3">
      {approve && <Button onClick={() => setDialog('approve')}>Approve</Button>}
      {note && <p className="text-muted text-sm">{note}</p>}
      <Button variant="secondary" onClick={() => setDialog('reject')}>
        Reject
      </Button>
      {approve && (
        <Dialog open={dialog === 'approve'} onOpenChange={(open) => setDialog(open ? 'approve' : null)}>
          <DialogContent
            title={approve.title}
            actions={
              <>
                <DialogCancel />
                <Button
                  variant={approve.isDanger ? 'danger' : 'primary'}
                  onClick={() => deciding.mutate(approve.send)}
                  pending={deciding.isPending}
                  pendingText="Approving..."
                >
                  Approve
                </Button>
              </>
            }
          >
            <p className="text-muted">{approve.words}</p>
          </DialogContent>
        </Dialog>
      )}
      <ReasonDialog
        open={dialog === 'reject'}
        onOpenChange={(open) => setDialog(open ? 'reject' : null)}
        title={reject.title}
        hint={reject.hint}
        maxLength={500}
        submitText="Reject"
        pendingText="Rejecting..."
        isDanger
        pending={deciding.isPending}
        onSubmit={(reason) =>
          deciding.mutate(async () => {
            await reject.send(reason)
            return reject.done
          })
        }
      />
    </div>
  )
}
