import type { Api } from '../../kernel/route.ts'
import { registerPreviewImages } from './preview-images.ts'
import { registerSitemap } from './sitemap.ts'

/** What stands for the site elsewhere: pictures of links, and the list of what search engines may read. */
export function registerPreview(api: Api): void {
  registerPreviewImages(api)
  registerSitemap(api)
}
