import { useEffect, useRef } from 'react'
import { createDeviceSwitch, isTyping } from '#web/lib/shortcut-keys.tsx'
import { Switch } from '#web/ui/switch.tsx'

const shortcuts = createDeviceSwitch('desk-shortcuts')

/** Keys are in lower case. Shortcuts are inactive during typing, in dialogs and menus, and with modifiers other than Shift. */
export function useShortcuts(keys: Record<string, () => void>): void {
  const isOn = shortcuts.useIsOn()
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return
      const act = current.current[event.key.toLowerCase()]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}

export const shortcutWords = [
  { keys: ['J', 'K'], does: 'Next and previous case' },
  { keys: ['T'], does: 'Claim or release the case' },
  { keys: ['1', '–', '8'], does: 'Choose an action by number' },
  { keys: ['E'], does: 'Write the explanation' },
  { keys: ['O'], does: 'Open the content or profile in a new tab' },
  { keys: ['?'], does: 'Show shortcuts' },
] as const

export function ShortcutList() {
  const isOn = shortcuts.useIsOn()
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
      <Switch checked={isOn} onChange={(event) => shortcuts.set(event.target.checked)} className="border-line border-t pt-3">
        Turn on keyboard shortcuts
      </Switch>
    </div>
  )
}

export const Key = ({ children }: { children: string }) => (
  <kbd className="inline-grid pointer-coarse:hidden min-h-6 min-w-6 place-items-center rounded-tag border border-edge/60 bg-surface px-1.5 font-text text-muted text-xs">
    {children}
  </kbd>
)
