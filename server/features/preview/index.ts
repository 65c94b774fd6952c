import type { Api } from '#server/kernel/route.ts'
import { registerPreviewImages } from './preview-images.ts'
import { registerSitemap } from './sitemap.ts'

export function registerPreview(api: Api): void {
  registerPreviewImages(api)
  registerSitemap(api)
}
