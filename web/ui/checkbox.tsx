import { Check, Minus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useId, useImperativeHandle, useRef } from 'react'
import { cx } from './cx.ts'
import { FieldError } from './field.tsx'
import { useStableWhilePressed } from './use-stable-while-pressed.ts'

type CheckboxProps = CheckboxBoxProps & {
  children: ReactNode
  hint?: ReactNode
  error?: ReactNode
}

export function Checkbox({ children, hint, error: given, className, ...props }: CheckboxProps) {
  const id = useId()
  const error = useStableWhilePressed(given)
  return (
    <div className={cx('grid gap-1.5', className)}>
      <label className="flex min-h-6 items-start gap-3 has-disabled:text-muted pointer-coarse:min-h-11 pointer-coarse:py-2.5">
        <CheckboxBox
          {...props}
          aria-describedby={cx(props['aria-describedby'], hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined}
          aria-invalid={error ? true : undefined}
          className="mt-0.5"
        />
        <span className="min-w-0">
          {children}
          {hint && (
            <span id={`${id}-hint`} className="block text-muted text-sm">
              {hint}
            </span>
          )}
        </span>
      </label>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

type CheckboxBoxProps = Omit<ComponentProps<'input'>, 'type'> & { indeterminate?: boolean }

/** For tables and lists. Needs a label or an `aria-label`. */
export function CheckboxBox({ indeterminate = false, className, ref, ...props }: CheckboxBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => box.current as HTMLInputElement)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  const Mark = indeterminate ? Minus : Check
  return (
    <span className={cx('relative grid size-5 shrink-0 place-items-center', className)}>
      <input
        {...props}
        ref={box}
        type="checkbox"
        className="peer absolute inset-0 appearance-none rounded-tag border border-edge bg-surface transition-colors checked:border-leaf checked:bg-leaf indeterminate:border-leaf indeterminate:bg-leaf enabled:hover:border-ink/60 enabled:checked:hover:bg-leaf-strong disabled:border-line disabled:bg-sunk disabled:checked:bg-edge aria-invalid:border-clay forced-colors:appearance-auto"
      />
      <Mark
        aria-hidden="true"
        strokeWidth={3}
        className="pointer-events-none relative size-3.5 text-on-leaf opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-100 forced-colors:hidden"
      />
    </span>
  )
}
