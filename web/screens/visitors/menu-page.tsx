import { MapPin, Phone, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { businessTypeLabels } from '#contracts/business-types.ts'
import type { Business } from '#contracts/businesses.ts'
import type { Location } from '#contracts/locations.ts'
import { menuSorts } from '#contracts/menu-fields.rules.ts'
import { itemPath, type MenuContent, type MenuFilter, menuPath } from '#contracts/visitor-pages.ts'
import { telephone } from '#web/entities/businesses/business-contact.tsx'
import { BusinessPicture } from '#web/entities/businesses/business-picture.tsx'
import { wholeAddress } from '#web/entities/businesses/directions.ts'
import { LicenseBadge, OriginBadge } from '#web/entities/businesses/license-badge.tsx'
import { LicensePanel } from '#web/entities/businesses/license-panel.tsx'
import { OpenLine } from '#web/entities/locations/hours-list.tsx'
import { strainTypeWords } from '#web/entities/menus/menu-fields.ts'
import { sortWords } from '#web/entities/menus/product-words.ts'
import { formatNumber } from '#web/lib/format.ts'
import { HoursDetails, OtherLocation } from '#web/screens/business/location-details.tsx'
import ProductGroups, { MenuAge } from '#web/screens/business/product-groups.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { chipClass } from '#web/ui/chip.tsx'
import { cx } from '#web/ui/cx.ts'
import { controlClass, Input } from '#web/ui/input.tsx'
import { cardLink, textLink } from '#web/ui/link-styles.ts'
import { Stars } from '#web/ui/stars.tsx'
import { ContactLinks } from './contact-links.tsx'
import { PlaceAgeGate } from './place-age-gate.tsx'

/** `/menu/{slug}`: a business and its menu, for everyone. Works without scripts. */
export function MenuPage({ content }: { content: MenuContent }) {
  const { business, locations } = content
  const [main, ...others] = locations
  return (
    <div data-visited={business.id} className="mx-auto max-w-page px-4 pb-16 sm:px-6 sm:pt-6">
      <Head content={content} />
      <div className="mt-7 grid items-start gap-x-10 gap-y-7 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="min-w-0">
          <Menu content={content} />
        </div>
        <div className="grid gap-4">
          <Card asChild>
            <section aria-label="Contact">
              <CardBody>
                <h2 className="mb-3 text-lg">Contact</h2>
                <Contact business={business} main={main} />
              </CardBody>
            </section>
          </Card>
          <Card asChild>
            <section aria-label="License">
              <CardBody>
                <h2 className="mb-3 text-lg">License</h2>
                <LicensePanel business={business} />
              </CardBody>
            </section>
          </Card>
          {others.length > 0 && (
            <Card asChild>
              <section aria-label="Other locations">
                <CardBody className="grid gap-5">
                  <h2 className="text-lg">Other locations</h2>
                  {others.map((location) => (
                    <OtherLocation key={location.id} location={location} />
                  ))}
                </CardBody>
              </section>
            </Card>
          )}
          <p className="text-sm">
            <a href={`/business/${business.slug}`} className={textLink}>
              Reviews and posts of {business.name}
            </a>
          </p>
          {content.place && (
            <p className="text-sm">
              <a href={content.place.path} className={textLink}>
                More licensed businesses in {content.place.label}
              </a>
            </p>
          )}
        </div>
      </div>
    </div>
  )
}

function Head({ content }: { content: MenuContent }) {
  const { business } = content
  const { name, type, location, averageRating, totalRatings } = business
  return (
    <header>
      <div className="overflow-clip border-line max-sm:-mx-4 max-sm:border-b sm:rounded-card sm:border">
        <BusinessPicture business={business} eager className="h-28 object-cover sm:h-44" />
      </div>
      <h1 className="mt-5 text-2xl wrap-anywhere sm:text-3xl">{name}</h1>
      <p className="mt-1.5 text-muted">
        {businessTypeLabels[type]} · {location ?? 'Location not set'}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Stars rating={averageRating} count={totalRatings} size="md" />
        <LicenseBadge business={business} />
        <OriginBadge business={business} />
      </div>
      {business.openNow && business.timeZone && (
        <p className="mt-2 text-[0.9375rem]">
          <OpenLine location={{ openNow: business.openNow, timeZone: business.timeZone }} />
        </p>
      )}
      <ContactLinks content={content} className="mt-4" />
    </header>
  )
}

function Contact({ business, main }: { business: Business; main: Location | undefined }) {
  return (
    <div className="grid gap-3 text-[0.9375rem]">
      <p className="flex gap-3">
        <MapPin aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere">{wholeAddress(business) ?? business.location ?? 'Location not set'}</span>
      </p>
      {business.phone && (
        <p className="flex gap-3">
          <Phone aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-muted" />
          <a href={telephone(business.phone)} data-visit="call" className={textLink}>
            {business.phone}
          </a>
        </p>
      )}
      {main?.openNow ? <HoursDetails location={main} /> : <p className="text-muted">Hours not listed.</p>}
    </div>
  )
}

function Menu({ content }: { content: MenuContent }) {
  const { business, menu, isAgeKnown, filter } = content
  const isMaintained = business.isClaimed || business.isDemo
  if (!isMaintained) {
    return (
      <Section>
        <p className="text-muted">This business hasn’t listed its menu yet.</p>
      </Section>
    )
  }
  if (!menu) {
    return (
      <Section>
        <PlaceAgeGate
          age={business.productAge}
          isAgeKnown={isAgeKnown}
          returnTo={`${menuPath(business.slug, filter)}#menu`}
          refusal={`This menu is for people ${business.productAge.minimumAge} or older.`}
        />
      </Section>
    )
  }
  if (menu.itemCount === 0) {
    return (
      <Section>
        <Locations content={content} />
        <p className="text-muted">No products available yet.</p>
      </Section>
    )
  }
  const { q, category, strainType, inStock, onSale, location, sort = 'category' } = filter
  const isNarrowed = Boolean(q ?? category ?? strainType ?? inStock ?? onSale)
  return (
    <Section>
      <MenuSearch content={content} />
      <Categories content={content} menu={menu} />
      <Filters content={content} menu={menu} />
      {menu.confirmedAt && (
        <p className="mt-3 flex flex-wrap items-center gap-x-2 text-muted text-sm">
          <MenuAge at={menu.confirmedAt} isTaxIncluded={menu.items[0]?.isTaxIncluded} />
        </p>
      )}
      <div className="mt-5">
        {menu.items.length > 0 ? (
          <ProductGroups
            products={menu.items}
            business={business}
            counts={isNarrowed ? null : menu.categories}
            sort={sort}
            nameOf={({ id, name }) => (
              <a href={itemPath(business.slug, id)} className={cardLink}>
                {name}
              </a>
            )}
          />
        ) : (
          <div className="grid justify-items-center gap-3 rounded-card border border-line border-dashed px-5 py-10 text-center">
            <p className="font-medium">{isNarrowed ? 'No items on this menu match.' : 'There are no more items.'}</p>
            <a href={menuPath(business.slug, { location, sort: filter.sort })} className={buttonClass('secondary')}>
              Show the whole menu
            </a>
          </div>
        )}
      </div>
      {menu.nextCursor && (
        <a
          href={`${menuPath(business.slug, { ...filter, cursor: menu.nextCursor })}#menu`}
          className={buttonClass('secondary', 'lg', 'mt-6 w-full')}
        >
          Show more items
        </a>
      )}
    </Section>
  )
}

const Section = ({ children }: { children: ReactNode }) => (
  <section id="menu" aria-labelledby="menu-heading">
    <h2 id="menu-heading" className="mb-4 text-xl">
      Menu
    </h2>
    {children}
  </section>
)

function MenuSearch({ content: { business, locations, filter } }: { content: MenuContent }) {
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

/** A menu that is empty at one location may not be at another. */
function Locations({ content }: { content: MenuContent }) {
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

function Categories({ content: { business, filter }, menu }: MenuPartProps) {
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

/** A changed filter starts at the first page. */
const firstPage = ({ cursor: _, ...filter }: MenuContent['filter']): MenuFilter => filter

/** Filters and orders as links, which work without scripts. One row on phones. */
function Filters({ content: { business, filter }, menu }: MenuPartProps) {
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
      <nav aria-label="Sort by" className="mt-3 flex flex-wrap gap-x-4 gap-y-2 text-sm">
        <span aria-hidden="true" className="text-muted">
          Sort by
        </span>
        {menuSorts.map((value) =>
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
