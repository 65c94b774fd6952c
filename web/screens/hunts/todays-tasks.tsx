import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { completeGrowTask, deleteGrowTask, reopenGrowTask } from '#contracts/calls/grow-tasks.ts'
import type { GrowTask, Hunt } from '#contracts/hunts.ts'
import { dayMs } from '#contracts/time.ts'
import { shortDay } from '#web/entities/hunts/hunt-words.ts'
import { dueTasksOptions, refreshTasks } from '#web/entities/hunts/hunts.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { daysBetween, localDay } from '#web/lib/time-words.ts'
import { useToday } from '#web/ui/ago.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { LoadError } from '#web/ui/error-state.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { MorePages } from '#web/ui/paged-list.tsx'
import { removals, useRemoved } from '#web/ui/pending-removals.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

const TaskDialog = lazyDialog(async () => (await import('./task-dialog.tsx')).TaskDialog)

const daysAhead = 7
const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

type TodaysTasksProps = {
  hunts: readonly Hunt[]
  selectedId: string | undefined
  isLoading: boolean
}

export function TodaysTasks({ hunts, selectedId, isLoading }: TodaysTasksProps) {
  const client = useQueryClient()
  const today = useToday()
  const list = useInfiniteQuery(dueTasksOptions(dayAfter(today, daysAhead)))
  const data = list.data?.pages.flatMap((page) => page.items)
  const [edited, setEdited] = useState<GrowTask | 'new' | null>(null)
  const writable = hunts.filter(({ abilities, isActive }) => abilities.write && isActive)
  const refresh = () => refreshTasks(client)
  const failed = (reason: unknown) => toast({ title: 'Error', description: messageOf(reason), variant: 'destructive' })

  const undoing = useMutation({ mutationFn: (id: string) => call(reopenGrowTask, { params: { id } }), onSuccess: refresh, onError: failed })
  const doing = useMutation({
    mutationFn: (task: GrowTask) => call(completeGrowTask, { params: { id: task.id }, body: { doneOn: localDay() } }),
    onSuccess: ({ task, next }) => {
      toast({
        title: 'Done',
        description: next ? `${task.title}. Next on ${shortDay(next.dueOn)}.` : task.title,
        action: { label: 'Undo', onClick: () => undoing.mutate(task.id) },
      })
      return refresh()
    },
    onError: failed,
  })
  const removed = useRemoved()
  const listFocus = useListFocus<HTMLUListElement>()
  const remove = ({ id, title }: GrowTask) =>
    removals.remove({
      id,
      title: `“${title}” deleted`,
      commit: async () => {
        await call(deleteGrowTask, { params: { id } }, { keepalive: true })
        await refresh()
      },
      onFailed: failed,
    })

  if (isLoading) {
    return (
      <SkeletonGroup label="Loading tasks..." className="grid gap-3">
        <Skeleton className="h-12 sm:h-10" />
        <Skeleton className="h-16 rounded-card" />
      </SkeletonGroup>
    )
  }
  if (writable.length === 0 && !data?.length) return null
  const tasks = data?.filter(({ id }) => !removed.has(id))
  const due = tasks ? dueText(tasks, today, list.hasNextPage) : null
  return (
    <section aria-labelledby="todays-tasks" className="grid gap-3">
      <div className="flex items-center justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h2 id="todays-tasks" className="text-xl">
            To do
          </h2>
          {due && <p className="text-muted">{due}</p>}
        </div>
        {writable.length > 0 && (
          <Button variant="secondary" onClick={() => setEdited('new')} className="min-h-12 sm:min-h-10">
            <Plus aria-hidden="true" />
            Add task
          </Button>
        )}
      </div>
      {list.isPending && (
        <SkeletonGroup label="Loading tasks...">
          <Skeleton className="h-16 rounded-card" />
        </SkeletonGroup>
      )}
      {list.error && !data && <LoadError level={3} title="The tasks couldn’t be loaded" query={list} />}
      {tasks?.length === 0 && !list.hasNextPage && (
        <p className="rounded-card border border-line flex min-h-16 items-center border-dashed px-5 py-4 text-muted text-sm">
          Nothing to do until {shortDay(dayAfter(today, daysAhead))}.
        </p>
      )}
      {tasks && tasks.length > 0 && (
        <Card asChild className="overflow-visible!">
          <ul {...listFocus} className="divide-y divide-line">
            {tasks.map((task) => (
              <li key={task.id} className="flex items-center gap-1 pr-1.5">
                <button
                  type="button"
                  onClick={() => doing.mutate(task)}
                  aria-label={`Done: ${task.title}`}
                  className="grid size-14 shrink-0 place-items-center rounded-input"
                >
                  <span
                    aria-hidden="true"
                    className={cx(
                      'size-6 rounded-full border-2 border-edge transition-colors hover:border-leaf',
                      doing.isPending && doing.variables?.id === task.id && 'border-leaf bg-leaf',
                    )}
                  />
                </button>
                <div className="min-w-0 flex-1 py-2.5">
                  <p className="font-medium wrap-anywhere">{task.title}</p>
                  <p className="text-muted text-sm wrap-anywhere">
                    <span className={cx(task.dueOn < today && 'font-medium text-clay')}>{dueWords(task.dueOn, today)}</span>
                    {' · '}
                    <Link to="/pheno-hunt/$id" params={{ id: task.huntId }} className="hover:underline">
                      {task.huntName}
                    </Link>
                    {task.genotype && ` · #${task.genotype.number}`}
                    {task.everyDays !== null && ` · every ${task.everyDays === 1 ? 'day' : `${task.everyDays} days`}`}
                  </p>
                </div>
                <Menu>
                  <MenuTrigger asChild>
                    <IconButton label={`More actions for ${task.title}`} className="min-h-12 min-w-12">
                      <Ellipsis aria-hidden="true" />
                    </IconButton>
                  </MenuTrigger>
                  <MenuContent>
                    <MenuItem onSelect={() => setEdited(task)}>
                      <Pencil aria-hidden="true" />
                      Edit
                    </MenuItem>
                    <MenuItem danger onSelect={() => remove(task)}>
                      <Trash2 aria-hidden="true" />
                      Delete
                    </MenuItem>
                  </MenuContent>
                </Menu>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <MorePages list={list} />
      {edited !== null && (
        <TaskDialog
          task={edited === 'new' ? null : edited}
          hunts={writable}
          selectedId={selectedId}
          onOpenChange={(open) => !open && setEdited(null)}
        />
      )}
    </section>
  )
}

/** "3 tasks today", or "50+ tasks today" if later pages may have more. Null if there are none. */
export function dueText(tasks: readonly Pick<GrowTask, 'dueOn'>[], today: string, hasMore: boolean): string | null {
  const due = tasks.filter(({ dueOn }) => dueOn <= today).length
  if (hasMore && due === tasks.length) return `${formatNumber(due)}+ tasks today`
  return due > 0 ? `${counted(due, 'task')} today` : null
}

function dueWords(dueOn: string, today: string): string {
  const days = daysBetween(today, dueOn)
  if (days === 0) return 'Today'
  if (days === 1) return 'Tomorrow'
  return days < 0 ? `${counted(-days, 'day')} overdue` : shortDay(dueOn)
}
