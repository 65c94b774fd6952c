import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { productCategories, productSorts, strainTypes } from '#contracts/menu-fields.rules.ts'
import { ChoiceMenu } from '#web/entities/directory/choice-menu.tsx'
import { SearchFields } from '#web/entities/directory/search-fields.tsx'
import { shortPrice, strainTypeWords } from '#web/entities/menus/product-words.ts'
import { change, defaultRadius, type ProductSearch, productRadii } from '#web/entities/product-search/product-params.ts'
import { foundProductsOptions, productCountsOptions } from '#web/entities/product-search/product-search.api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { formatRadius, radiusText, useUnits } from '#web/lib/units.ts'
import { Chip, chipClass } from '#web/ui/chip.tsx'
import { countSentence, orderSentence, ProductResults, productHeading, sortTexts } from './product-results.tsx'

type ProductSearchScreenProps = {
  search: ProductSearch
  /** Typing uses `replace`, so it doesn't fill the history. */
  onSearch: (search: ProductSearch, options?: { replace: boolean }) => void
}

export function ProductSearchScreen({ search, onSearch }: ProductSearchScreenProps) {
  const list = useInfiniteQuery({ ...foundProductsOptions(search), placeholderData: (previous) => previous })
  const counts = useQuery(productCountsOptions(search))
  const unit = useUnits().distance
  const found = counts.data ?? null
  const shown = list.isError ? null : found
  const placeError = list.error instanceof ApiError ? (list.error.fields.near ?? null) : null
  return (
    <div className="mx-auto max-w-page px-4 pt-4 pb-12 sm:px-6 sm:pt-6">
      <h1 className="text-xl sm:text-3xl">{productHeading(search, shown)}</h1>
      <p role="status" className="min-h-[1.5em] text-sm text-muted sm:mt-1.5 sm:text-[0.9375rem]">
        {shown && `${countSentence(shown, unit)} `}
        {shown && <span className="max-sm:hidden">{orderSentence(search.sort)}</span>}
      </p>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3 sm:mt-5 sm:gap-4">
        <SearchFields
          of="Products"
          label="Product, brand or strain"
          name="q"
          text={search.q ?? ''}
          near={search.near ?? ''}
          placeError={placeError}
          onText={(text) => onSearch(change(search, { q: text || undefined }), { replace: true })}
          onPlace={(near, text) => onSearch(change(search, { near: near || undefined, q: text || undefined }))}
        />
        <ProductFilters
          search={search}
          radiusMiles={search.near === undefined ? null : found ? found.place.radiusMiles : (search.radius ?? defaultRadius)}
          onChange={onSearch}
        />
      </div>
      <div className="mt-4 sm:mt-5">
        <ProductResults search={search} list={list} found={found} onSearch={onSearch} />
      </div>
    </div>
  )
}

type FiltersProps = {
  search: ProductSearch
  /** Null when searching a whole state or without a place. */
  radiusMiles: number | null
  onChange: (search: ProductSearch) => void
}

/** In dollars. */
const priceChoices = [10, 20, 30, 50, 100]

const limitText = (dollars: number): string => `Up to ${priceText(dollars)}`
const priceText = (dollars: number): string => shortPrice(dollars.toFixed(2), 'USD')

/** "Up to $30", "$20 to $30", "Up to $8/g". */
export function rangeText({ minPrice, maxPrice, perGram }: ProductSearch): string {
  if (!minPrice && !maxPrice) return 'Any price'
  const range = !minPrice
    ? limitText(maxPrice as number)
    : maxPrice
      ? `${priceText(minPrice)} to ${priceText(maxPrice)}`
      : `From ${priceText(minPrice)}`
  return perGram ? `${range}/g` : range
}

/** The value of a choice that only links to this page offer, such as the guide's. */
const linked = 'linked'

function ProductFilters({ search, radiusMiles, onChange }: FiltersProps) {
  const unit = useUnits().distance
  const set = (changes: ProductSearch) => onChange(change(search, changes))
  const { category, strainType, maxPrice, minPrice, perGram, inStock, deals, open, sort = 'nearest' } = search
  const isLinked = Boolean(minPrice ?? (maxPrice && perGram))
  const radii = radiusMiles === null ? [] : [...new Set([...productRadii, radiusMiles])].sort((a, b) => a - b)
  const prices = [...new Set([...priceChoices, ...(maxPrice && !isLinked ? [maxPrice] : [])])].sort((a, b) => a - b)
  return (
    // On phones, a single row that scrolls sideways leaves room for the results.
    <div className="flex items-center gap-2 max-sm:-mx-4 max-sm:-my-1 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:[scrollbar-width:none] sm:flex-wrap">
      {radiusMiles !== null && (
        <FilterMenu
          label="Distance"
          text={`Within ${radiusText(radiusMiles, unit)}`}
          choices={radii.map((miles) => ({ value: String(miles), text: `Within ${formatRadius(miles, unit)}` }))}
          current={String(radiusMiles)}
          onChoose={(value) => set({ radius: Number(value) === defaultRadius ? undefined : Number(value) })}
        />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend and its own line */}
      <div role="group" aria-label="Filters" className="contents">
        <Chip pressed={inStock === true} onClick={() => set({ inStock: inStock ? undefined : true })}>
          In stock
        </Chip>
        <Chip pressed={open === true} onClick={() => set({ open: open ? undefined : true })}>
          Open now
        </Chip>
        <Chip pressed={deals === true} onClick={() => set({ deals: deals ? undefined : true })}>
          Deals
        </Chip>
        <FilterMenu
          label="Category"
          text={category ?? 'Any category'}
          isOn={category !== undefined}
          choices={[{ value: '', text: 'Any category' }, ...productCategories.map((each) => ({ value: each, text: each }))]}
          current={category ?? ''}
          onChoose={(value) => set({ category: productCategories.find((each) => each === value) })}
        />
        <FilterMenu
          label="Strain type"
          text={strainType ? strainTypeWords[strainType] : 'Any strain type'}
          isOn={strainType !== undefined}
          choices={[{ value: '', text: 'Any strain type' }, ...strainTypes.map((each) => ({ value: each, text: strainTypeWords[each] }))]}
          current={strainType ?? ''}
          onChoose={(value) => set({ strainType: strainTypes.find((each) => each === value) })}
        />
        <FilterMenu
          label="Price"
          text={rangeText(search)}
          isOn={Boolean(maxPrice ?? minPrice)}
          choices={[
            { value: '', text: 'Any price' },
            ...(isLinked ? [{ value: linked, text: rangeText(search) }] : []),
            ...prices.map((each) => ({ value: String(each), text: limitText(each) })),
          ]}
          current={isLinked ? linked : maxPrice ? String(maxPrice) : ''}
          onChoose={(value) => {
            if (value !== linked) set({ maxPrice: value === '' ? undefined : Number(value), minPrice: undefined, perGram: undefined })
          }}
        />
      </div>
      <ChoiceMenu
        label="Sort by"
        choices={productSorts.map((each) => ({ value: each, text: sortTexts[each] }))}
        current={sort}
        onChoose={(value) => set({ sort: productSorts.find((each) => each === value && each !== 'nearest') })}
      >
        <button
          type="button"
          className="touch-target ml-auto inline-flex min-h-9 shrink-0 items-center gap-1 rounded-tag px-1 text-muted text-sm whitespace-nowrap transition-colors hover:text-ink [&_svg]:size-4"
        >
          Sort by: {sortTexts[sort]}
          <ChevronDown aria-hidden="true" />
        </button>
      </ChoiceMenu>
    </div>
  )
}

type FilterMenuProps = {
  label: string
  text: string
  isOn?: boolean
  choices: { value: string; text: string }[]
  current: string
  onChoose: (value: string) => void
}

const FilterMenu = ({ label, text, isOn = false, choices, current, onChoose }: FilterMenuProps) => (
  <ChoiceMenu label={label} choices={choices} current={current} onChoose={onChoose}>
    <button type="button" className={chipClass(isOn)}>
      <span className="sr-only">{label}: </span>
      {text}
      <ChevronDown aria-hidden="true" />
    </button>
  </ChoiceMenu>
)
