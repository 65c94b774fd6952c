import { CloudAlert, CloudCheck, CloudOff, CloudUpload, Moon, Sun } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useCurrentUser } from '../../lib/current-user.ts'
import { relativeTime } from '../../lib/relative-time.ts'
import { useTimeZone } from '../../lib/use-time-zone.ts'
import { useNow } from '../../ui/ago.tsx'
import { cx } from '../../ui/cx.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { turnLights, useLights } from './lights.ts'
import { startKeeping } from './shell.ts'
import { readAgo, type SyncStatus, statusOf } from './status-words.ts'
import { startSync } from './sync.ts'
import { useKeptSince, useReach, useSync } from './use-outbox.ts'

const loadSheet = () => import('./sync-sheet.tsx')
const SyncSheet = lazyDialog(async () => (await loadSheet()).default)

/**
 * Stands once on every growing screen, above its content: whether everything is synced, and the switch for the dim theme. It is also what
 * makes the screen work without a network: it keeps the app on the device, sends what waits, and offers updates. `children` stand between.
 */
export function GrowingBar({ children, className }: { children?: ReactNode; className?: string }) {
  useOffline()
  return (
    <div className={cx('flex flex-wrap items-center gap-x-3 gap-y-2', className)}>
      <SyncButton />
      <KeptNote />
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
    // A browser that keeps nothing still shows everything; saving then says so.
    void startSync(user.id).catch(() => undefined)
    return startKeeping(user)
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

/** Where syncing stands; opens the list of what waits. Said aloud when it changes. */
export function SyncButton() {
  const status = statusOf(useSync(), useReach())
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

/** That what is shown is not from just now. */
function KeptNote() {
  const since = useKeptSince()
  const reach = useReach()
  const now = useNow()
  const timeZone = useTimeZone()
  if (since === null) return null
  return <p className="text-muted text-sm">{readAgo(relativeTime(new Date(since), new Date(now), timeZone), reach)}</p>
}

/** The theme for when the plants sleep: deep red, and dim. */
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
