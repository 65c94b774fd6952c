import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldGroup } from './field.tsx'
import { starPath } from './stars.tsx'

const words = ['Poor', 'Fair', 'Good', 'Very good', 'Excellent']

type StarInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'defaultValue'> & {
  legend: ReactNode
  name: string
  /** 1 to 5, or null if unrated. */
  value: number | null
  onValueChange: (value: number) => void
  error?: ReactNode
}

/** Radio buttons that look like stars: arrows change the choice, and a tap sets it. */
export function StarInput({ legend, name, value, onValueChange, error, className, ...props }: StarInputProps) {
  const id = useId()
  return (
    <FieldGroup legend={legend} error={error} role="radiogroup" className={className}>
      <div className="group/stars -ml-1.5 flex w-fit items-center">
        {words.map((word, index) => {
          const stars = index + 1
          return (
            <label
              key={word}
              // Hovering previews the choice: all stars up to the hovered one light up.
              className="relative grid size-11 place-items-center rounded-full text-edge transition-colors has-focus-visible:outline-2 has-focus-visible:outline-focus data-on:text-star group-hover/stars:text-star [&:hover~label]:text-edge"
              data-on={value !== null && stars <= value ? '' : undefined}
            >
              <input
                {...props}
                type="radio"
                name={name}
                value={stars}
                checked={value === stars}
                onChange={() => onValueChange(stars)}
                aria-labelledby={`${id}-${stars}`}
                className="absolute inset-0 cursor-pointer appearance-none rounded-full focus-visible:outline-none"
              />
              <svg viewBox="0 0 20 20" aria-hidden="true" className="pointer-events-none size-7">
                <path
                  d={starPath}
                  strokeWidth="1.4"
                  stroke="currentColor"
                  className="fill-none group-hover/stars:fill-current [[data-on]>svg>&]:fill-current [label:hover~label>svg>&]:fill-none"
                />
              </svg>
              <span id={`${id}-${stars}`} className="sr-only">
                {stars} {stars === 1 ? 'star' : 'stars'}, {word}
              </span>
            </label>
          )
        })}
        <span aria-hidden="true" className="pl-2 text-muted text-sm">
          {value === null ? '' : words[value - 1]}
        </span>
      </div>
    </FieldGroup>
  )
}
