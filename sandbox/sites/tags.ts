import type { SiteCompany } from '../world/types.ts'
import { escapeHtml } from './html.ts'

/** Snippets that vendors give to sites for their pages. */
const TAGS: Readonly<Record<string, string>> = {
  'Google Tag Manager': `<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src='https://www.googletagmanager.com/gtm.js?id='+i+dl;f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-SBX1');</script>`,
  HubSpot: '<script id="hs-script-loader" async defer src="//js.hs-scripts.com/4400001.js"></script>',
  Intercom: `<script>(function(){var w=window;var d=document;var l=function(){var s=d.createElement('script');s.async=true;s.src='https://widget.intercom.io/widget/sbx001';d.head.appendChild(s);};w.addEventListener('load',l,false);})();</script>`,
  Zendesk: '<script id="ze-snippet" src="https://static.zdassets.com/ekr/snippet.js?key=sbx-0001"></script>',
  Segment: `<script>!function(){var a=window.analytics=window.analytics||[];a.load=function(k){var t=document.createElement("script");t.async=!0;t.src="https://cdn.segment.com/analytics.js/v1/"+k+"/analytics.min.js"}}();</script>`,
  Stripe: '<script src="https://js.stripe.com/v3/"></script>',
  'a font': '<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">',
}

/** The tags of the technologies that a company uses. */
export const tags = ({ technologies = [] }: SiteCompany): string[] =>
  technologies.map((name) => {
    const tag = TAGS[name]
    if (!tag) throw new Error(`The sandbox has no tag of ${name}.`)
    return tag
  })

/** Footer links to the company's GitHub organisation and status page. */
export function serviceLinks({ github, status_page }: SiteCompany): string[] {
  return [
    ...(github ? [`<a href="https://github.com/${github.login}">GitHub</a>`] : []),
    ...(status_page ? [`<a href="https://${escapeHtml(status_page.host)}/">Status</a>`] : []),
  ]
}
