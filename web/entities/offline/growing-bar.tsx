import { CloudAlert, CloudCheck, CloudOff, CloudUpload, Moon, Sun } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { localTimeZone } from '#web/lib/format.ts'
import { relativeTime } from '#web/lib/time-words.ts'
import { useNow } from '#web/ui/ago.tsx'
import { cx } from '#web/ui/cx.ts'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { turnLights, useLights } from './lights.ts'
import { startCaching } from './shell.ts'
import { readAgo, type SyncStatus, startSync, statusOf } from './sync.ts'
import { useCachedSince, useConnectivity, useSync } from './use-outbox.ts'

const loadSheet = () => import('./sync-sheet.tsx')
const SyncSheet = lazyDialog(async () => (await loadSheet()).default)

/**
 * Growing screens start with this bar: sync status, `children` and the dim theme switch. Also makes the screen work offline: caches the
 * app, sends pending writes and offers updates.
 */
export function GrowingBar({ children, className }: { children?: ReactNode; className?: string }) {
  useOffline()
  return (
    <div className={cx('flex flex-wrap items-center gap-x-3 gap-y-2', className)}>
      <SyncButton />
      <StoredNote />
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {children}
        <LightsSwitch />
      </div>
    </div>
  )
}

function useOffline() {
  const user = useCurrentUser()
  useEffect(() => {
    if (!user) return
    // Without storage, people can still read; saving reports the problem.
    void startSync(user.id).catch(() => undefined)
    return startCaching(user)
  }, [user])
}

const looks: Record<SyncStatus['kind'], { Icon: typeof CloudOff; className: string }> = {
  'needs you': { Icon: CloudAlert, className: 'border-clay bg-clay-soft text-clay' },
  offline: { Icon: CloudOff, className: 'border-edge bg-sunk text-ink' },
  waiting: { Icon: CloudUpload, className: 'border-edge bg-surface text-ink' },
  synced: { Icon: CloudCheck, className: 'border-line bg-surface text-muted' },
}

const barButton =
  'inline-flex min-h-12 items-center gap-2 rounded-full border px-4 font-medium text-sm tabular-nums transition-colors hover:border-edge [&_svg]:size-5 [&_svg]:shrink-0'

export function SyncButton() {
  const status = statusOf(useSync(), useConnectivity())
  const [isOpen, setOpen] = useState(false)
  const [isWanted, setWanted] = useState(false)
  const { Icon, className } = looks[status.kind]
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void loadSheet().catch(() => undefined)}
        onClick={() => {
          setWanted(true)
          setOpen(true)
        }}
        className={cx(barButton, className)}
      >
        <Icon aria-hidden="true" />
        {status.text}
      </button>
      <span role="status" className="sr-only">
        {status.sentence}
      </span>
      {isWanted && <SyncSheet open={isOpen} onOpenChange={setOpen} />}
    </>
  )
}

function StoredNote() {
  const since = useCachedSince()
  const connectivity = useConnectivity()
  const now = useNow()
  const timeZone = localTimeZone()
  if (since === null) return null
  return <p className="text-muted text-sm">{readAgo(relativeTime(new Date(since), new Date(now), timeZone), connectivity)}</p>
}

/** A dim, deep red theme for the plants' dark period. */
export function LightsSwitch() {
  const isOff = useLights()
  const Icon = isOff ? Sun : Moon
  return (
    <button
      type="button"
      aria-pressed={isOff}
      onClick={() => turnLights(!isOff)}
      className={cx(barButton, 'border-line bg-surface text-ink aria-pressed:border-edge')}
    >
      <Icon aria-hidden="true" />
      Lights off
    </button>
  )
}
