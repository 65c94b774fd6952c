import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { Input } from './input.tsx'

/** Has a button that shows the password, so forms don't ask for it twice. Set `autoComplete` to "current-password" or "new-password". */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  return (
    <Input
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <IconButton size="sm" label={shown ? 'Hide password' : 'Show password'} onClick={() => setShown(!shown)} disabled={props.disabled}>
          {shown ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  )
}

const words = ['Too weak', 'Weak', 'Fair', 'Good', 'Strong']

type PasswordMeterProps = {
  /** zxcvbn's score, from 0 (trivial) to 4. Null if empty. */
  score: 0 | 1 | 2 | 3 | 4 | null
  hint?: string | undefined
}

/** Also takes up space when empty, to avoid layout shifts. */
export function PasswordMeter({ score, hint }: PasswordMeterProps) {
  const color = score === null ? '' : score < 2 ? 'bg-clay' : score === 2 ? 'bg-star' : 'bg-leaf'
  return (
    <div className="grid gap-1.5">
      <div aria-hidden="true" className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={cx('h-1 rounded-full transition-colors', score !== null && Math.max(1, score) >= step ? color : 'bg-line')}
          />
        ))}
      </div>
      <p aria-live="polite" className="min-h-5 text-muted text-sm">
        {score !== null && (
          <>
            <span className="sr-only">Password strength: </span>
            <span className="font-medium text-ink">{words[score]}</span>
            {hint && `. ${hint}`}
          </>
        )}
      </p>
    </div>
  )
}
