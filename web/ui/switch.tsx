import { type ComponentProps, type ReactNode, useEffect, useId, useState } from 'react'
import { cx } from './cx.ts'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  /** Describes the on state. */
  children: ReactNode
  hint?: ReactNode
}

/** Takes effect immediately. For settings saved with a form, use Checkbox. */
export function Switch({ children, hint, className, checked, onChange, ...props }: SwitchProps) {
  const id = useId()
  const [pressed, setPressed] = useJustPressed()
  return (
    <label
      className={cx(
        'flex min-h-6 items-start justify-between gap-4 has-disabled:text-muted pointer-coarse:min-h-11 pointer-coarse:py-2',
        className,
      )}
    >
      <span className="min-w-0">
        <span className="block font-medium">{children}</span>
        {hint && (
          <span id={id} className="block text-muted text-sm">
            {hint}
          </span>
        )}
      </span>
      <input
        {...props}
        checked={checked === undefined ? checked : (pressed ?? checked)}
        onChange={(event) => {
          setPressed(event.target.checked)
          onChange?.(event)
        }}
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox already reports whether it is checked
        role="switch"
        aria-describedby={cx(props['aria-describedby'], hint ? id : null) || undefined}
        className="relative h-6 w-10.5 shrink-0 appearance-none rounded-full border border-edge bg-sunk transition-colors before:absolute before:top-1/2 before:left-0.75 before:size-4 before:-translate-y-1/2 before:rounded-full before:bg-edge before:transition-[translate,background-color] checked:border-leaf checked:bg-leaf checked:before:translate-x-4.5 checked:before:bg-on-leaf enabled:hover:border-ink/60 disabled:opacity-60 forced-colors:w-6 forced-colors:appearance-auto forced-colors:before:hidden"
      />
    </label>
  )
}

/**
 * The state just pressed, until the switch's owner has updated. The query cache notifies one task later, after React has reset the
 * checkbox, so people and screen readers would briefly see it unchanged.
 */
function useJustPressed() {
  const [pressed, setPressed] = useState<boolean | null>(null)
  useEffect(() => {
    if (pressed === null) return
    const timer = setTimeout(() => setPressed(null))
    return () => clearTimeout(timer)
  }, [pressed])
  return [pressed, setPressed] as const
}
