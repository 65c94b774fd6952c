import { ChevronDown } from 'lucide-react'
import type { getMenu } from '#contracts/calls/menus.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import type { MenuSort } from '#contracts/menu-fields.rules.ts'
import type { ProductCategory, StrainType } from '#contracts/menu-fields.ts'
import { ChoiceMenu } from '#web/entities/directory/choice-menu.tsx'
import { sortsOf, sortWords, strainTypeWords } from '#web/entities/menus/product-words.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Chip, chipClass } from '#web/ui/chip.tsx'
import type { MenuSearch } from './business-search.ts'

type MenuFiltersProps = {
  search: MenuSearch
  onSearch: (search: MenuSearch) => void
  menu: ResponseOf<typeof getMenu>
}

const all = 'all'

/**
 * Omits useless filters, such as "In stock" if every item is in stock, unless they're on. On phones, one row scrolls sideways and never
 * wraps, so pressing a filter doesn't move anything.
 */
export function MenuFilters({ search, onSearch, menu }: MenuFiltersProps) {
  const { itemCount, categories, strainTypes, inStockCount, onSaleCount } = menu
  const set = (changes: MenuSearch) => onSearch({ ...search, ...changes })
  const { category, strainType, inStock, onSale, sort = 'category' } = search
  return (
    <>
      {categories.length > 1 && (
        <fieldset className="flex min-w-0 flex-wrap gap-2 max-sm:hidden">
          <legend className="sr-only">Category</legend>
          <Chip pressed={category === undefined} onClick={() => set({ category: undefined })}>
            All <Count of={itemCount} />
          </Chip>
          {categories.map((each) => (
            <Chip key={each.category} pressed={category === each.category} onClick={() => set({ category: each.category })}>
              {each.category} <Count of={each.itemCount} />
            </Chip>
          ))}
        </fieldset>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend and its own line */}
      <div
        role="group"
        aria-label="Filters"
        className="flex min-w-0 items-center gap-2 max-sm:-mx-4 max-sm:-my-1 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:[scrollbar-width:none] sm:flex-wrap"
      >
        <ChoiceMenu
          label="Sort by"
          choices={sortsOf(categories).map((value) => ({ value, text: sortWords[value].long }))}
          current={sort}
          onChoose={(value) => set({ sort: value === 'category' ? undefined : (value as Exclude<MenuSort, 'category'>) })}
        >
          <button type="button" className={chipClass(false)}>
            Sort: {sortWords[sort].short}
            <ChevronDown aria-hidden="true" />
          </button>
        </ChoiceMenu>
        {categories.length > 1 && (
          <ChoiceMenu
            label="Category"
            choices={[
              { value: all, text: `All ${formatNumber(itemCount)}` },
              ...categories.map((each) => ({ value: each.category, text: `${each.category} ${formatNumber(each.itemCount)}` })),
            ]}
            current={category ?? all}
            onChoose={(value) => set({ category: value === all ? undefined : (value as ProductCategory) })}
          >
            <button type="button" className={chipClass(category !== undefined, 'sm:hidden')}>
              {category ?? 'Category'}
              <ChevronDown aria-hidden="true" />
            </button>
          </ChoiceMenu>
        )}
        {(inStockCount < itemCount || inStock) && (
          <Chip pressed={inStock === true} onClick={() => set({ inStock: inStock ? undefined : true })}>
            In stock <Count of={inStockCount} />
          </Chip>
        )}
        {(onSaleCount > 0 || onSale) && (
          <Chip pressed={onSale === true} onClick={() => set({ onSale: onSale ? undefined : true })}>
            On sale <Count of={onSaleCount} />
          </Chip>
        )}
        {(strainTypes.length > 0 || strainType) && (
          <ChoiceMenu
            label="Strain type"
            choices={[
              { value: all, text: 'All types' },
              ...strainTypes.map((each) => ({
                value: each.strainType,
                text: `${strainTypeWords[each.strainType]} ${formatNumber(each.itemCount)}`,
              })),
            ]}
            current={strainType ?? all}
            onChoose={(value) => set({ strainType: value === all ? undefined : (value as StrainType) })}
          >
            <button type="button" className={chipClass(strainType !== undefined)}>
              {strainType ? strainTypeWords[strainType] : 'Strain type'}
              <ChevronDown aria-hidden="true" />
            </button>
          </ChoiceMenu>
        )}
      </div>
    </>
  )
}

const Count = ({ of }: { of: number }) => <span className="opacity-70 tabular-nums">{formatNumber(of)}</span>
