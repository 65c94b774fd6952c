import { Check, Minus } from 'lucide-react'
import { useEffect, useRef } from 'react'

type RowCheckboxProps = { label: string; checked: boolean; indeterminate?: boolean; onChange: () => void }

/** A checkbox at the head of a line: as large as a gloved thumb needs it. */
export function RowCheckbox({ label, checked, indeterminate = false, onChange }: RowCheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  const Mark = indeterminate ? Minus : Check
  return (
    <label className="grid min-h-12 w-13 shrink-0 cursor-pointer place-items-center self-stretch">
      <span className="relative grid size-5 place-items-center">
        <input
          ref={box}
          type="checkbox"
          aria-label={label}
          checked={checked}
          onChange={onChange}
          className="peer absolute inset-0 appearance-none rounded-tag border border-edge bg-surface transition-colors checked:border-leaf checked:bg-leaf indeterminate:border-leaf indeterminate:bg-leaf hover:border-ink/60 forced-colors:appearance-auto"
        />
        <Mark
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none relative size-3.5 text-on-leaf opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-100 forced-colors:hidden"
        />
      </span>
    </label>
  )
}
