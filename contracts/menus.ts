import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './ids.ts'
import { Currency } from './money.ts'
import { page } from './pagination.ts'

export const Product = z.object({
  id: Id,
  name: z.string(),
  /** In the currency's main unit: "12.50". */
  price: z.string(),
  currency: Currency,
  description: z.nullable(z.string()),
  category: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  isAvailable: z.boolean(),
})
export type Product = z.infer<typeof Product>

export const listProducts = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/products',
  summary: "A business's menu; 403 `age_restricted` for viewers below the jurisdiction's age or of unknown age",
  tag: 'Menus',
  access: 'public',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(Product),
})
