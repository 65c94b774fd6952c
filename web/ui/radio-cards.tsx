import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { FieldGroup } from './field.tsx'

type RadioCardsProps = {
  legend: ReactNode
  hint?: ReactNode
  error?: ReactNode
  className?: string | undefined
  children: ReactNode
}

/** Children are {@link RadioCard}s with the same `name`. */
export function RadioCards({ className, children, ...group }: RadioCardsProps) {
  return (
    <FieldGroup role="radiogroup" {...group}>
      <div className={cx('grid gap-3 sm:auto-cols-fr sm:grid-flow-col', className)}>{children}</div>
    </FieldGroup>
  )
}

type RadioCardProps = Omit<ComponentProps<'input'>, 'type' | 'title'> & {
  name: string
  value: string
  title: ReactNode
  description?: ReactNode
  icon?: ReactNode
}

export function RadioCard({ title, description, icon, className, ...props }: RadioCardProps) {
  const id = useId()
  return (
    <label
      className={cx(
        'relative flex gap-3 rounded-card border border-edge bg-surface p-4 transition-colors hover:border-ink/60 has-checked:border-leaf has-checked:bg-leaf-soft has-checked:ring-1 has-checked:ring-leaf has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-disabled:border-line has-disabled:bg-sunk has-disabled:text-muted',
        className,
      )}
    >
      {icon && <span className="mt-0.5 text-leaf [&_svg]:size-5.5">{icon}</span>}
      <span className="min-w-0 flex-1">
        <span id={id} className="block font-medium">
          {title}
        </span>
        {description && (
          <span id={`${id}-more`} className="mt-0.5 block text-muted text-sm">
            {description}
          </span>
        )}
      </span>
      <input
        {...props}
        type="radio"
        aria-labelledby={id}
        aria-describedby={description ? `${id}-more` : undefined}
        className="mt-0.5 size-5 shrink-0 appearance-none rounded-full border border-edge bg-surface transition-colors checked:border-6 checked:border-leaf focus-visible:outline-none disabled:border-line forced-colors:appearance-auto"
      />
    </label>
  )
}
