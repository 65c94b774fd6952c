import { useRouter } from '@tanstack/react-router'
import type { Hunt } from '../../../contracts/hunts.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { PhenoHuntTab } from './pheno-hunt-search.ts'

type HuntPickerProps = { tab: PhenoHuntTab; hunts: readonly Hunt[]; selected: Hunt }

/** Which hunt the tab is about. */
export function HuntPicker({ tab, hunts, selected }: HuntPickerProps) {
  const router = useRouter()
  const choose = (hunt: string) => void router.navigate({ to: '/pheno-hunt', search: { tab, hunt }, replace: true, resetScroll: false })
  return (
    <Field label="Hunt" className="sm:max-w-sm">
      <Select value={selected.id} onChange={(event) => choose(event.target.value)} className="[&_select]:min-h-12">
        {hunts.map(({ id, huntName, isActive }) => (
          <option key={id} value={id}>
            {huntName}
            {isActive ? '' : ' (completed)'}
          </option>
        ))}
      </Select>
    </Field>
  )
}
