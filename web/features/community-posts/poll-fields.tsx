import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { pollLimits } from '../../../contracts/community-posts.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldGroup } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'

type PollFieldsProps = {
  options: readonly string[]
  days: number
  error: string | undefined
  onOptions: (options: string[]) => void
  onDays: (days: number) => void
}

const durations = [1, 3, 7, 14, 30]

/** The options of a poll, and how long it stays open. Enter goes on to the next one. */
export function PollFields({ options, days, error, onOptions, onDays }: PollFieldsProps) {
  const list = useRef<HTMLOListElement>(null)
  const isFull = options.length >= pollLimits.mostOptions

  function focus(at: number) {
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[at]?.focus())
  }
  function add() {
    onOptions([...options, ''])
    focus(options.length)
  }
  function remove(at: number) {
    onOptions(options.filter((_option, other) => other !== at))
    focus(Math.max(0, at - 1))
  }
  return (
    <div className="grid gap-4">
      <FieldGroup legend="Options" error={error} hint="They cannot be changed once it is posted.">
        <ol ref={list} className="grid gap-2">
          {options.map((option, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option is what stands at its place
            <li key={at} className="flex items-center gap-1.5">
              <Input
                aria-label={`Option ${at + 1}`}
                placeholder={`Option ${at + 1}`}
                value={option}
                maxLength={pollLimits.optionLength}
                autoComplete="off"
                enterKeyHint="next"
                aria-invalid={Boolean(error)}
                onChange={(event) => onOptions(options.map((other, place) => (place === at ? event.target.value : other)))}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                  // Enter would send the form.
                  event.preventDefault()
                  if (at < options.length - 1) focus(at + 1)
                  else if (!isFull && option.trim() !== '') add()
                }}
              />
              {options.length > pollLimits.leastOptions && (
                <IconButton label={`Take option ${at + 1} away`} size="sm" onClick={() => remove(at)}>
                  <X aria-hidden="true" />
                </IconButton>
              )}
            </li>
          ))}
        </ol>
        {!isFull && (
          <Button variant="secondary" size="sm" className="mt-1 justify-self-start pointer-coarse:min-h-11" onClick={add}>
            <Plus aria-hidden="true" />
            Add an option
          </Button>
        )}
      </FieldGroup>
      <Field label="Open for" className="sm:max-w-48">
        <Select value={days} onChange={(event) => onDays(Number(event.target.value))}>
          {durations.map((each) => (
            <option key={each} value={each}>
              {each === 1 ? '1 day' : `${each} days`}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  )
}
