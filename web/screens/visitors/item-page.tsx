import { ArrowLeft } from 'lucide-react'
import { type ItemContent, itemPath, menuPath } from '#contracts/visitor-pages.ts'
import { ProductView, ShopHead } from '#web/screens/products/product-view.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { ContactLinks } from './contact-links.tsx'
import { PlaceAgeGate } from './place-age-gate.tsx'

/** `/menu/{slug}/{id}`: an item of a menu, for everyone. Works without scripts. */
export function ItemPage({ content }: { content: ItemContent }) {
  const { business, product, isAgeKnown, id } = content
  return (
    <div data-visited={business.id} className="mx-auto max-w-page px-4 pt-5 pb-16 sm:px-6">
      <p className="mb-4">
        <a href={`${menuPath(business.slug)}#menu`} className={`${textLink} touch-target inline-flex items-center gap-1.5`}>
          <ArrowLeft aria-hidden="true" className="size-4.5" />
          Menu of {business.name}
        </a>
      </p>
      <div className="grid items-start gap-x-10 gap-y-7 lg:grid-cols-[minmax(0,1fr)_22rem]">
        {product ? (
          <ProductView product={product} businessId={business.id} strain={product.strain} />
        ) : (
          <div className="max-w-text">
            <h1 className="mb-5 text-2xl">An item on the menu of {business.name}</h1>
            <PlaceAgeGate
              age={business.productAge}
              isAgeKnown={isAgeKnown}
              returnTo={itemPath(business.slug, id)}
              refusal={`This item is for people ${business.productAge.minimumAge} or older.`}
            />
          </div>
        )}
        <Card asChild>
          <section aria-label="Shop">
            <CardBody className="grid gap-4">
              <ShopHead business={business}>
                <a href={menuPath(business.slug)} className="hover:underline hover:underline-offset-3">
                  {business.name}
                </a>
              </ShopHead>
              <ContactLinks content={content} />
            </CardBody>
          </section>
        </Card>
      </div>
    </div>
  )
}
