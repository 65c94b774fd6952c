import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../lib/format.ts'
import { Chip } from '../../ui/chip.tsx'
import { type CaseFilter, caseFilters, loadOptions, type Scope } from './moderation.api.ts'

const names: Record<CaseFilter, string> = { reports: 'Reports', held: 'Held', mine: 'Mine', decided: 'Decided' }

type CaseFiltersProps = { scope: Scope; value: CaseFilter; onChange: (filter: CaseFilter) => void }

/** Which cases are listed. */
export function CaseFilters({ scope, value, onChange }: CaseFiltersProps) {
  const load = useQuery(loadOptions(scope)).data
  const counts: Partial<Record<CaseFilter, number>> = load ? { reports: load.open - load.held, held: load.held } : {}
  return (
    <fieldset className="-mx-1 flex min-w-0 gap-2 overflow-x-auto p-1 [scrollbar-width:none]">
      <legend className="sr-only">Show</legend>
      {caseFilters.map((filter) => (
        <Chip key={filter} pressed={filter === value} onClick={() => onChange(filter)}>
          {names[filter]}
          {counts[filter] !== undefined && <span className="tabular-nums opacity-75">{formatNumber(counts[filter])}</span>}
        </Chip>
      ))}
    </fieldset>
  )
}
