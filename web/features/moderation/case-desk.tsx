import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Keyboard } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { CaseFilters } from './case-filters.tsx'
import { CaseList, caseLinkId } from './case-list.tsx'
import { CaseView } from './case-view.tsx'
import { LoadStrip } from './load-strip.tsx'
import { type CaseFilter, casesOptions, type Scope } from './moderation.api.ts'
import { ShortcutList } from './shortcut-list.tsx'
import { useShortcuts } from './shortcuts.ts'

const hashStart = 'case-'

/**
 * The list of cases, and the one that is open: side by side where there is room, else one after the other. The open one is in the address,
 * so that Back leads to the list and a case can be sent to somebody.
 */
export function CaseDesk({ scope }: { scope: Scope }) {
  const [filter, setFilter] = useState<CaseFilter>('reports')
  const [isHelpOpen, setHelpOpen] = useState(false)
  // By the keys one goes through the list, which keeps the focus; otherwise the case takes it.
  const [takesFocus, setTakesFocus] = useState(false)
  const hash = useLocation({ select: (location) => location.hash })
  const openId = hash.startsWith(hashStart) ? hash.slice(hashStart.length) : null
  const navigate = useNavigate()
  const list = useInfiniteQuery(casesOptions(scope, filter))
  const cases = list.data?.pages.flatMap((page) => page.items) ?? []

  // A decided case leaves the list; the next one is then where it was.
  const place = useRef(-1)
  const index = cases.findIndex(({ id }) => id === openId)
  useEffect(() => {
    if (index >= 0) place.current = index
  }, [index])

  const show = (id: string | null, replace: boolean) =>
    void navigate({ to: '.', search: true, hash: id ? hashStart + id : '', replace, resetScroll: false, hashScrollIntoView: false })

  const isChoosable = list.isPending || cases.length > 0

  const open = (id: string) => {
    setTakesFocus(true)
    show(id, openId !== null)
  }

  const leave = () => {
    show(null, false)
    requestAnimationFrame(() => openId && document.getElementById(caseLinkId(openId))?.focus())
  }

  const step = (by: 1 | -1) => {
    const from = index >= 0 ? index + by : by === 1 ? Math.max(place.current, 0) : place.current - 1
    const next = cases[Math.min(Math.max(from, 0), cases.length - 1)]
    if (!next) return
    setTakesFocus(false)
    show(next.id, openId !== null)
    if (from >= cases.length - 2 && list.hasNextPage && !list.isFetching) void list.fetchNextPage()
    const link = document.getElementById(caseLinkId(next.id))
    link?.focus({ preventScroll: true })
    link?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts({ j: () => step(1), k: () => step(-1), '?': () => setHelpOpen(true) })

  return (
    <div className="@container/desk">
      <div className={cx('grid gap-4', openId && '@max-2xl/desk:hidden')}>
        <LoadStrip scope={scope} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <CaseFilters scope={scope} value={filter} onChange={setFilter} />
          <Button variant="quiet" size="sm" className="pointer-coarse:hidden @max-2xl/desk:hidden" onClick={() => setHelpOpen(true)}>
            <Keyboard aria-hidden="true" />
            Keys
          </Button>
        </div>
      </div>
      <div
        className={cx(
          'mt-4 grid grid-cols-1 items-start gap-5',
          (openId || isChoosable) && '@2xl/desk:grid-cols-[minmax(14rem,18rem)_minmax(0,1fr)]',
        )}
      >
        <section
          aria-label="Cases"
          className={cx(
            '@2xl/desk:sticky @2xl/desk:top-20 @2xl/desk:-m-1 @2xl/desk:max-h-[calc(100dvh-6rem)] @2xl/desk:overflow-y-auto @2xl/desk:p-1',
            openId && '@max-2xl/desk:hidden',
          )}
        >
          <CaseList list={list} filter={filter} openId={openId} onOpen={open} />
        </section>
        {openId ? (
          <CaseView key={openId} id={openId} takesFocus={takesFocus} onBack={leave} />
        ) : (
          isChoosable && (
            <div className="rounded-card border border-line border-dashed p-8 @max-2xl/desk:hidden">
              <p className="font-medium">Choose a case</p>
              <p className="mt-1 text-muted text-sm">It opens here, with what stands around it.</p>
              <div className="mt-6 pointer-coarse:hidden max-w-sm">
                <p className="mb-3 text-muted text-sm">By keyboard it goes faster:</p>
                <ShortcutList />
              </div>
            </div>
          )
        )}
      </div>
      <Dialog open={isHelpOpen} onOpenChange={setHelpOpen}>
        <DialogContent title="Keys">
          <ShortcutList />
        </DialogContent>
      </Dialog>
    </div>
  )
}
