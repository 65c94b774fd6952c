import type { BusinessByline } from '#contracts/posts.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'

export const businessBylineColumns = [
  'businesses.slug as business_slug',
  'businesses.name as business_name',
  'businesses.type as business_type',
  'businesses.image_id as business_image_id',
] as const

type Row = {
  business_id: string | null
  business_slug: string | null
  business_name: string | null
  business_type: BusinessByline['type'] | null
  business_image_id: string | null
}

/** The business a post was published under; null for personal posts. */
export function toBusinessByline(row: Row): BusinessByline | null {
  const { business_id: id, business_slug: slug, business_name: name, business_type: type } = row
  if (id === null || slug === null || name === null || type === null) return null
  return { id, slug, name, type, imageUrl: bylinePicture(row.business_image_id) }
}
