import { Search } from 'lucide-react'
import { type MenuContent, type MenuFilter, menuPath } from '#contracts/visitor-pages.ts'
import { sortsOf, sortWords, strainTypeWords } from '#web/entities/menus/product-words.ts'
import { formatNumber } from '#web/lib/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { chipClass } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { controlClass, Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'

export function MenuSearch({ content: { business, locations, filter } }: { content: MenuContent }) {
  return (
    <search>
      <form action={`${menuPath(business.slug)}#menu`} className="flex flex-wrap gap-2">
        {(['category', 'strainType', 'inStock', 'onSale', 'sort'] as const).map(
          (name) => filter[name] && <input key={name} type="hidden" name={name} value={String(filter[name])} />,
        )}
        <Input
          type="search"
          name="q"
          aria-label="Search this menu"
          placeholder="Search this menu"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={120}
          defaultValue={filter.q}
          start={<Search aria-hidden="true" />}
          className={cx('min-w-44 flex-1', locations.length > 1 && 'max-sm:basis-full')}
        />
        {locations.length > 1 && (
          <select
            name="location"
            aria-label="Location"
            defaultValue={filter.location ?? ''}
            className={`${controlClass} w-auto! max-sm:flex-1`}
          >
            <option value="">All locations</option>
            {locations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        <button type="submit" className={buttonClass('secondary')}>
          Search
        </button>
      </form>
    </search>
  )
}

/** Another location may have a menu even if this one doesn't. */
export function Locations({ content }: { content: MenuContent }) {
  if (!content.filter.location) return null
  return (
    <p className="mb-3">
      <a href={menuPath(content.business.slug)} className={textLink}>
        Show all locations
      </a>
    </p>
  )
}

type MenuPartProps = { content: MenuContent; menu: NonNullable<MenuContent['menu']> }

export function Categories({ content: { business, filter }, menu }: MenuPartProps) {
  if (menu.categories.length < 2) return null
  const choices = [{ category: undefined, itemCount: menu.itemCount }, ...menu.categories]
  return (
    <nav
      aria-label="Categories"
      className="-mx-4 mt-3 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
    >
      {choices.map(({ category, itemCount }) => (
        <a
          key={category ?? 'all'}
          href={`${menuPath(business.slug, { ...firstPage(filter), category })}#menu`}
          aria-current={category === filter.category ? 'true' : undefined}
          className={chipClass(category === filter.category)}
        >
          {category ?? 'All'} <span className="opacity-70 tabular-nums">{formatNumber(itemCount)}</span>
        </a>
      ))}
    </nav>
  )
}

const firstPage = ({ cursor: _, ...filter }: MenuContent['filter']): MenuFilter => filter

/** Links, because they work without scripts. */
export function Filters({ content: { business, filter }, menu }: MenuPartProps) {
  const link = (changes: MenuFilter) => `${menuPath(business.slug, { ...firstPage(filter), ...changes })}#menu`
  const { strainType, inStock, onSale, sort = 'category' } = filter
  const filters = [
    ...(inStock || menu.inStockCount < menu.itemCount
      ? [{ text: 'In stock', count: menu.inStockCount, isOn: inStock === true, change: { inStock: inStock ? undefined : true } as const }]
      : []),
    ...(onSale || menu.onSaleCount > 0
      ? [{ text: 'On sale', count: menu.onSaleCount, isOn: onSale === true, change: { onSale: onSale ? undefined : true } as const }]
      : []),
    ...menu.strainTypes.map(({ strainType: type, itemCount }) => ({
      text: strainTypeWords[type],
      count: itemCount,
      isOn: strainType === type,
      change: { strainType: strainType === type ? undefined : type },
    })),
  ]
  return (
    <>
      {filters.length > 0 && (
        <nav
          aria-label="Filters"
          className="-mx-4 mt-2 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
        >
          {filters.map(({ text, count, isOn, change }) => (
            <a key={text} href={link(change)} aria-current={isOn ? 'true' : undefined} className={chipClass(isOn)}>
              {text} <span className="opacity-70 tabular-nums">{formatNumber(count)}</span>
            </a>
          ))}
        </nav>
      )}
      <nav
        aria-label="Sort by"
        className="-mx-4 mt-2 flex gap-x-4 gap-y-2 overflow-x-auto px-4 py-1 text-sm whitespace-nowrap [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
      >
        <span aria-hidden="true" className="text-muted">
          Sort by
        </span>
        {sortsOf(menu.categories).map((value) =>
          value === sort ? (
            <span key={value} aria-current="true" className="font-medium">
              {sortWords[value].long}
            </span>
          ) : (
            <a key={value} href={link({ sort: value === 'category' ? undefined : value })} className={`${textLink} touch-target`}>
              {sortWords[value].long}
            </a>
          ),
        )}
      </nav>
    </>
  )
}
