import { Switch } from '../../ui/switch.tsx'
import { setShortcuts, shortcutWords, useShortcutsOn } from './shortcuts.ts'

/** The keys of the desk, and the switch for whoever wants none. */
export function ShortcutList() {
  const isOn = useShortcutsOn()
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2.5 text-sm">
        {shortcutWords.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1 font-normal!">
              {keys.map((key) => (key === '–' ? <span key={key}>{key}</span> : <Key key={key}>{key}</Key>))}
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
      <Switch checked={isOn} onChange={(event) => setShortcuts(event.target.checked)} className="border-line border-t pt-3">
        Use these keys
      </Switch>
    </div>
  )
}

export const Key = ({ children }: { children: string }) => (
  <kbd className="inline-grid pointer-coarse:hidden min-h-6 min-w-6 place-items-center rounded-tag border border-edge/60 bg-surface px-1.5 font-text text-muted text-xs">
    {children}
  </kbd>
)
