import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { businessTypePluralLabels, businessTypes } from '#contracts/business-types.ts'
import { ChoiceMenu } from '#web/entities/directory/choice-menu.tsx'
import { radiusChoices } from '#web/entities/directory/discover-search.ts'
import { radiusText, radiusWords } from '#web/entities/directory/distance-text.ts'
import { PlaceField, usePlace } from '#web/entities/directory/place-field.tsx'
import { stateName } from '#web/lib/state-names.ts'
import { useUnits } from '#web/lib/use-units.ts'
import { chipClass } from '#web/ui/chip.tsx'
import { facetsOptions } from './search.api.ts'
import { change, defaultRadius, filtersOf, isFiltered, type SearchAddress } from './search-address.ts'
import { countText } from './search-words.ts'

type SearchFiltersProps = {
  address: SearchAddress & { q: string }
  placeError: string | null
  onChange: (address: SearchAddress) => void
}

export function SearchFilters({ address, placeError, onChange }: SearchFiltersProps) {
  // Count each filter's options as if it weren't set.
  const states = useQuery(facetsOptions({ ...address, state: undefined })).data?.states
  const types = useQuery(facetsOptions({ ...address, type: undefined })).data?.businessTypes
  const { kind, place, radius = defaultRadius, state, type } = address
  const unit = useUnits().distance
  const applies = filtersOf(kind)
  const where = usePlace(place ?? '', (chosen) => onChange(change(address, { place: chosen || undefined, radius: undefined })))
  // Keep showing a filter that is set, even if it matches nothing.
  const shows = { place: applies.place || place, state: applies.business || state, type: applies.business || type }
  if (!(shows.place || shows.state || shows.type)) return null
  return (
    <form
      aria-label="Filters"
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        where.submit()
      }}
    >
      {shows.place && (
        <div className="w-full sm:w-64">
          <PlaceField place={where} label={<span className="sr-only">Place</span>} placeholder="City or ZIP code" error={placeError} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2 sm:mt-2.25">
        {place && !placeError && (
          <Choice
            label="Distance from place"
            text={`Within ${radiusText(radius, unit)}`}
            choices={radiusChoices.map((miles) => ({ value: String(miles), text: `Within ${radiusWords(miles, unit)}` }))}
            current={String(radius)}
            onChoose={(value) => onChange(change(address, { radius: Number(value) === defaultRadius ? undefined : Number(value) }))}
          />
        )}
        {shows.state && (
          <Choice
            label="State"
            text={state ? stateName(state) : 'Any state'}
            isOn={state !== undefined}
            choices={[
              { value: '', text: 'Any state' },
              ...withCurrent(
                states?.map((each) => ({ value: each.state, text: `${stateName(each.state)} (${countText(each)})` })),
                state,
                stateName,
              ),
            ]}
            current={state ?? ''}
            onChoose={(value) => onChange(change(address, { state: value || undefined }))}
          />
        )}
        {shows.type && (
          <Choice
            label="Type of business"
            text={type ? businessTypePluralLabels[type] : 'Any type'}
            isOn={type !== undefined}
            choices={[
              { value: '', text: 'Any type' },
              ...businessTypes.map((each) => {
                const counted = types?.find(({ businessType }) => businessType === each)
                return { value: each, text: `${businessTypePluralLabels[each]}${counted ? ` (${countText(counted)})` : ''}` }
              }),
            ]}
            current={type ?? ''}
            onChoose={(value) => onChange(change(address, { type: businessTypes.find((each) => each === value) }))}
          />
        )}
        {isFiltered(address) && (
          <button
            type="button"
            className="touch-target min-h-9 rounded-tag px-1.5 font-medium text-leaf text-sm hover:underline hover:underline-offset-3"
            onClick={() => onChange(withoutFilters(address))}
          >
            Clear filters
          </button>
        )}
      </div>
    </form>
  )
}

export const withoutFilters = (address: SearchAddress): SearchAddress =>
  change(address, { place: undefined, radius: undefined, state: undefined, type: undefined })

type Option = { value: string; text: string }

/** Adds the selected option to the list if it has no count. */
function withCurrent(options: Option[] = [], current: string | undefined, textOf: (value: string) => string): Option[] {
  if (!current || options.some(({ value }) => value === current)) return options
  return [{ value: current, text: textOf(current) }, ...options]
}

type ChoiceProps = { label: string; text: string; isOn?: boolean; choices: Option[]; current: string; onChoose: (value: string) => void }

const Choice = ({ label, text, isOn = false, choices, current, onChoose }: ChoiceProps) => (
  <ChoiceMenu label={label} choices={choices} current={current} onChoose={onChoose}>
    <button type="button" className={chipClass(isOn)}>
      <span className="sr-only">{label}: </span>
      {text}
      <ChevronDown aria-hidden="true" />
    </button>
  </ChoiceMenu>
)
