import { ShieldAlert } from 'lucide-react'
import type { Genotype } from '../../../contracts/plants.ts'
import { cx } from '../../ui/cx.ts'
import { Field, FieldError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { typedNames } from './last-copies.ts'
import { fullName } from './plant-words.ts'

type LastCopyLockProps = {
  /** Those whose last living copy is to go. */
  genotypes: readonly Genotype[]
  /** "cull", "harvest", "give away" */
  deed: string
  typed: string
  onTyped: (text: string) => void
  /** They were not typed, and yet it was to be done. */
  error?: string | null
}

/** Said where they are to be typed: the end of the form may be out of view. */
export const lockError = 'Type the numbers first: nothing brings a last copy back'

const mostShown = 60

/** Whoever ends the last living copy of a genotype types its number first. */
export function LastCopyLock({ genotypes, deed, typed, onTyped, error = null }: LastCopyLockProps) {
  if (genotypes.length === 0) return null
  const confirmed = new Set(typedNames(typed, genotypes))
  const [only] = genotypes
  const isOne = genotypes.length === 1 && only !== undefined
  const keepers = genotypes.filter(({ standing }) => standing === 'keep' || standing === 'breed')
  const missing = genotypes.length - confirmed.size
  return (
    <div className="grid gap-3 rounded-card border border-clay bg-clay-soft p-4">
      <p className="flex gap-2.5 font-medium">
        <ShieldAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-clay" />
        <span>
          {isOne
            ? `${fullName(only)} has no other living copy.`
            : `${genotypes.length} of these have no other living copy. Once they are gone, nothing brings them back.`}
        </span>
      </p>
      {keepers.length > 0 && (
        <p className="font-semibold text-clay">
          {isOne ? 'It is marked' : `${keepers.map(({ name }) => name).join(', ')} ${keepers.length === 1 ? 'is' : 'are'} marked`} to keep
          or to breed with. Cut a clone first unless you are sure.
        </p>
      )}
      {!isOne && (
        <ul className="flex flex-wrap gap-1.5">
          {genotypes.slice(0, mostShown).map((genotype) => (
            <li
              key={genotype.id}
              className={cx(
                'rounded-full border px-2.5 py-0.5 text-sm tabular-nums',
                confirmed.has(genotype.name) ? 'border-clay bg-clay text-on-clay' : 'border-edge bg-surface',
              )}
            >
              {fullName(genotype)}
              <span className="sr-only">{confirmed.has(genotype.name) ? ', typed' : ', to be typed'}</span>
            </li>
          ))}
          {genotypes.length > mostShown && <li className="self-center text-sm">and {genotypes.length - mostShown} more</li>}
        </ul>
      )}
      <Field
        label={isOne ? `Type ${only.name} to ${deed} it` : `Type their numbers to ${deed} them`}
        hint={isOne ? undefined : 'As in: 3, 5, 12-15'}
      >
        <Input
          value={typed}
          onChange={(event) => onTyped(event.target.value)}
          aria-invalid={error !== null}
          autoComplete="off"
          spellCheck={false}
          className="min-h-12 text-lg tabular-nums"
        />
      </Field>
      {error && (
        <div role="alert">
          <FieldError>{error}</FieldError>
        </div>
      )}
      <p role="status" className="text-sm">
        {isOne ? '' : missing === 0 ? 'All are typed.' : `${missing} ${missing === 1 ? 'is' : 'are'} left to type.`}
      </p>
    </div>
  )
}
