'use no memo'
// Everything here changes with the search, so memoizing would only add code to Discover's first load.

import { ChevronDown, X } from 'lucide-react'
import { type BusinessType, businessTypePluralLabels, businessTypes } from '#contracts/business-types.ts'
import type { BusinessSort } from '#contracts/businesses.ts'
import { ChoiceMenu } from '#web/entities/directory/choice-menu.tsx'
import type { DiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { change, radiusChoices, sortOf, withPlace } from '#web/entities/directory/discover-search.ts'
import { stateName } from '#web/lib/state-names.ts'
import { formatRadius, radiusText, useUnits } from '#web/lib/units.ts'
import { Chip, chipClass } from '#web/ui/chip.tsx'

type FilterBarProps = {
  search: DiscoverSearch
  /** Null for searches without distances. */
  radiusMiles: number | null
  onChange: (search: DiscoverSearch) => void
}

const mainTypes: BusinessType[] = ['farm', 'dispensary']
const moreTypes = businessTypes.filter((type) => !mainTypes.includes(type))
const isMore = (type: BusinessType | undefined): type is BusinessType => type !== undefined && moreTypes.includes(type)

const sortTexts: Record<BusinessSort, string> = { highest_rated: 'Highest Rated', distance: 'Distance', name: 'Name', newest: 'Newest' }

export function FilterBar({ search, radiusMiles, onChange }: FilterBarProps) {
  const set = (changes: Partial<DiscoverSearch>) => onChange(change(search, changes))
  const { type, verified, open, area, state } = search
  return (
    // On phones, a single row that scrolls sideways leaves room for the results.
    <div className="flex items-center gap-2 max-sm:-mx-4 max-sm:-my-1 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:[scrollbar-width:none] sm:flex-wrap">
      {radiusMiles && <RadiusMenu search={search} radius={radiusMiles} onChange={onChange} />}
      {search.near && (
        <button type="button" className={chipClass(false)} onClick={() => onChange(withPlace(search, undefined))}>
          Everywhere
        </button>
      )}
      {area && <Removable text="This map area" onRemove={() => set({ area: undefined })} />}
      {state && <Removable text={stateName(state)} onRemove={() => set({ state: undefined })} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend and its own line */}
      <div role="group" aria-label="Filters" className="contents">
        <Chip pressed={open === true} onClick={() => set({ open: open ? undefined : true })}>
          Open now
        </Chip>
        <Chip pressed={type === undefined} onClick={() => set({ type: undefined })}>
          All
        </Chip>
        {mainTypes.map((one) => (
          <Chip key={one} pressed={type === one} onClick={() => set({ type: type === one ? undefined : one })}>
            {businessTypePluralLabels[one]}
          </Chip>
        ))}
        <ChoiceMenu
          label="More types of business"
          choices={moreTypes.map((one) => ({ value: one, text: businessTypePluralLabels[one] }))}
          current={type ?? null}
          onChoose={(value) => set({ type: value === type ? undefined : (value as BusinessType) })}
        >
          <button type="button" className={chipClass(isMore(type))}>
            {isMore(type) ? businessTypePluralLabels[type] : 'More'}
            <ChevronDown aria-hidden="true" />
          </button>
        </ChoiceMenu>
        <Chip pressed={verified === true} onClick={() => set({ verified: verified ? undefined : true })}>
          Licensed
        </Chip>
      </div>
      <SortMenu search={search} hasCenter={radiusMiles !== null} onChange={onChange} />
    </div>
  )
}

/** `radius` is the results' radius, which the server may have enlarged. */
function RadiusMenu({ search, radius, onChange }: Pick<FilterBarProps, 'search' | 'onChange'> & { radius: number }) {
  const unit = useUnits().distance
  const miles = [...new Set([...radiusChoices, radius])].sort((a, b) => a - b)
  return (
    <ChoiceMenu
      label="Distance"
      choices={miles.map((one) => ({ value: String(one), text: `Within ${formatRadius(one, unit)}` }))}
      current={String(radius)}
      onChoose={(value) => onChange(change(search, { radius: Number(value) }))}
    >
      <button type="button" className={chipClass(false)}>
        Within {radiusText(radius, unit)}
        <ChevronDown aria-hidden="true" />
      </button>
    </ChoiceMenu>
  )
}

function SortMenu({ search, hasCenter, onChange }: Omit<FilterBarProps, 'radiusMiles'> & { hasCenter: boolean }) {
  const current = sortOf(search)
  const sorts: BusinessSort[] =
    hasCenter || current === 'distance' ? ['highest_rated', 'distance', 'name', 'newest'] : ['highest_rated', 'name', 'newest']
  return (
    <ChoiceMenu
      label="Sort by"
      choices={sorts.map((sort) => ({ value: sort, text: sortTexts[sort] }))}
      current={current}
      onChoose={(value) => onChange(change(search, { sort: value === 'highest_rated' ? undefined : (value as BusinessSort) }))}
    >
      <button
        type="button"
        className="touch-target ml-auto inline-flex min-h-9 shrink-0 items-center gap-1 rounded-tag px-1 text-muted text-sm whitespace-nowrap transition-colors hover:text-ink [&_svg]:size-4"
      >
        Sort by: {sortTexts[current]}
        <ChevronDown aria-hidden="true" />
      </button>
    </ChoiceMenu>
  )
}

function Removable({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <button type="button" onClick={onRemove} aria-label={`Remove filter: ${text}`} className={chipClass(true)}>
      {text}
      <X aria-hidden="true" />
    </button>
  )
}
