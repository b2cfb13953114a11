/**
 * Parts of team and contact pages, as sites of several countries publish phone numbers. Every page also shows the
 * company's switchboard in its header and footer. `published`: the number of each person that a reader of the page would
 * call them on, in E.164 (with `;ext=`); null where the page shows none of their own.
 */
export type PhoneFragment = {
  shape: string
  country: string
  body: string
  published: Record<string, string | null>
  /** The switchboard, as the header and the footer write it. */
  trunk?: string
}

const US_TRUNK = '(415) 555-0100'
const GB_TRUNK = '020 7946 0100'
const DE_TRUNK = '040 3003-0'

const cards = (tag: string, ...all: string[]) =>
  `<div class="team-grid">${all.map((one) => `<${tag} class="team-member">${one}</${tag}>`).join('\n')}</div>`
const ben = '<h3>Ben Moss</h3><p class="role">Chief Technology Officer</p>'
const ada = '<h3>Ada Pike</h3><p class="role">Chief Financial Officer</p>'
const only = (number: string | null, other: string | null = null) => ({ 'Ada Pike': number, 'Ben Moss': other })

export const PHONE_FRAGMENTS: readonly PhoneFragment[] = [
  // United States and Canada
  {
    shape: 'cards with tel: links',
    country: 'US',
    body: cards(
      'div',
      `${ada}<a href="tel:+14155552671">415-555-2671</a>`,
      `${ben}<a href="tel:+14155552672">415-555-2672</a>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'a list of contacts with a class in each card',
    country: 'US',
    body: cards(
      'div',
      `${ada}<ul class="contact"><li><a href="mailto:ada@oakvane.example">Email</a></li><li><a href="tel:4155552671">(415) 555-2671</a></li></ul>`,
      `${ben}<ul class="contact"><li><a href="tel:4155552672">(415) 555-2672</a></li></ul>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'a card with header and footer elements',
    country: 'US',
    body: cards(
      'article',
      `<header>${ada}</header><footer><a href="tel:415.555.2671">415.555.2671</a></footer>`,
      `<header>${ben}</header><footer><a href="tel:415.555.2672">415.555.2672</a></footer>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'an address element in each card',
    country: 'US',
    body: cards(
      'div',
      `${ada}<address>1 Main St<br>Phone: 415-555-2671</address>`,
      `${ben}<address>1 Main St<br>Phone: 415-555-2672</address>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'letters as labels',
    country: 'US',
    body: cards('div', `${ada}<p>O: 415.555.0100<br>C: 415.555.2671</p>`, `${ben}<p>O: 415.555.0100</p>`),
    published: only('+14155552671'),
  },
  {
    shape: 'direct and main number',
    country: 'US',
    body: cards(
      'div',
      `${ada}<p>Main: (415) 555-0100</p><p>Direct: (415) 555-2671</p>`,
      `${ben}<p>Main: (415) 555-0100</p><p>Direct: (415) 555-2672</p>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'an extension after the number',
    country: 'US',
    body: cards('div', `${ada}<p>(415) 555-0100 ext. 12</p>`, `${ben}<p>(415) 555-0100 ext. 14</p>`),
    published: only('+14155550100;ext=12', '+14155550100;ext=14'),
  },
  {
    shape: 'x and an extension',
    country: 'US',
    body: '<table><tr><th>Name</th><th>Title</th><th>Phone</th></tr><tr><td>Ada Pike</td><td>Chief Financial Officer</td><td>415-555-0100 x12</td></tr><tr><td>Ben Moss</td><td>Chief Technology Officer</td><td>415-555-0100 x14</td></tr></table>',
    published: only('+14155550100;ext=12', '+14155550100;ext=14'),
  },
  {
    shape: 'a tel: link with an extension',
    country: 'US',
    body: cards(
      'li',
      `${ada}<a href="tel:+1-415-555-0100;ext=12">Call</a>`,
      `${ben}<a href="tel:+14155550100,14">Call</a>`,
    ),
    published: only('+14155550100;ext=12', '+14155550100;ext=14'),
  },
  {
    shape: 'only the extension of the switchboard',
    country: 'US',
    body: cards('div', `${ada}<p>Ext. 12</p>`, `${ben}<p>Extension: 14</p>`),
    published: only('+14155550100;ext=12', '+14155550100;ext=14'),
  },
  {
    shape: 'a paragraph with a number in parentheses',
    country: 'US',
    body: '<p><strong>Ada Pike</strong>, Chief Financial Officer, (415) 555-2671, ada@oakvane.example</p><p><strong>Ben Moss</strong>, Chief Technology Officer, (415) 555-2672</p>',
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'a press contact',
    country: 'US',
    body: '<h2>Media contact</h2><p>Ada Pike<br>Director of Communications<br>415-555-2671<br>ada@oakvane.example</p>',
    published: { 'Ada Pike': '+14155552671' },
  },
  {
    shape: 'a sentence',
    country: 'US',
    body: '<p><b>Ada Pike</b>, Head of Sales. You can reach her at 415-555-2671.</p><p><b>Ben Moss</b>, Head of Support. Call or text him on (415) 555-2672.</p>',
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'icons as labels',
    country: 'US',
    body: cards(
      'div',
      `${ada}<p><i class="fa fa-phone"></i> 415 555 2671</p>`,
      `${ben}<p><svg><title>phone</title></svg> 415 555 2672</p>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'headings followed by lines',
    country: 'US',
    body: '<h3>Ada Pike</h3><p>Chief Financial Officer</p><p>Phone: (415) 555-2671 | Fax: (415) 555-9999</p><h3>Ben Moss</h3><p>Chief Technology Officer</p><p>Phone: (415) 555-2672 | Fax: (415) 555-9999</p>',
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'bold labels',
    country: 'US',
    body: cards(
      'div',
      `${ada}<p><b>Fax:</b> 415-555-9999<br><b>Office:</b> 415-555-2671</p>`,
      `${ben}<p><b>Mobile phone</b> <span>415-555-2672</span></p>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'a profile page with a contact column',
    country: 'US',
    body: '<div class="row"><div class="col"><h1>Ada Pike</h1><p class="title">Partner</p><p>Ada advises companies on leases and sales of buildings.</p></div><aside class="contact-info"><h4>Contact</h4><p>T <a href="tel:+14155552671">+1 415 555 2671</a></p></aside></div>',
    published: { 'Ada Pike': '+14155552671' },
  },
  {
    shape: 'microdata',
    country: 'US',
    body: '<div itemscope itemtype="https://schema.org/Person"><span itemprop="name">Ada Pike</span><span itemprop="jobTitle">Chief Financial Officer</span><span itemprop="telephone">(415) 555-2671</span></div>',
    published: { 'Ada Pike': '+14155552671' },
  },
  {
    shape: 'JSON-LD',
    country: 'US',
    body: `<script type="application/ld+json">{"@type":"Person","name":"Ada Pike","jobTitle":"Chief Financial Officer","telephone":"+1-415-555-2671"}</script>${cards('div', ada, ben)}`,
    published: only('+14155552671'),
  },
  {
    shape: 'nested blocks',
    country: 'US',
    body: cards(
      'div',
      `<div class="inner"><div class="photo"><img src="/a.jpg" alt=""></div><div class="text"><div class="name"><a href="/team/ada"><span>Ada Pike</span></a></div><div class="job-title">Chief Financial Officer</div></div></div><div class="links"><a class="phone" href="tel:+14155552671"><span class="icon"></span></a></div>`,
      `<div class="inner"><div class="photo"><img src="/b.jpg" alt=""></div><div class="text"><div class="name"><a href="/team/ben"><span>Ben Moss</span></a></div><div class="job-title">Chief Technology Officer</div></div></div><div class="links"><a class="phone" href="tel:+14155552672"><span class="icon"></span></a></div>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'callto: and messenger links',
    country: 'US',
    body: cards(
      'div',
      `${ada}<a href="callto:+14155552671">Call</a>`,
      `${ben}<a href="https://wa.me/14155552672">WhatsApp</a>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'a list entry with bars',
    country: 'CA',
    body: '<ul><li>Ada Pike | Chief Financial Officer | 416-555-2671 | ada@oakvane.example</li><li>Ben Moss | Chief Technology Officer | 416-555-2672</li></ul>',
    published: only('+14165552671', '+14165552672'),
  },
  {
    shape: 'a table without a header',
    country: 'CA',
    body: '<table><tr><td>Ada Pike</td><td>Chief Financial Officer</td><td>(416) 555-2671</td></tr><tr><td>Ben Moss</td><td>Chief Technology Officer</td><td>(416) 555-2672</td></tr></table>',
    published: only('+14165552671', '+14165552672'),
  },
  // United Kingdom and Ireland
  {
    shape: 'a zero in parentheses with spaces',
    country: 'GB',
    trunk: GB_TRUNK,
    body: cards('div', `${ada}<p>T: +44 (0) 20 7946 0123</p>`, `${ben}<p>T: +44 (0)20 7946 0124</p>`),
    published: only('+442079460123', '+442079460124'),
  },
  {
    shape: 'DDI and Mob',
    country: 'GB',
    trunk: GB_TRUNK,
    body: cards('div', `${ada}<p>DDI: 020 7946 0123</p>`, `${ben}<p>Mob: 07400 123457</p>`),
    published: only('+442079460123', '+447400123457'),
  },
  {
    shape: 'unlabelled numbers in paragraphs',
    country: 'GB',
    trunk: GB_TRUNK,
    body: '<p>Ada Pike, Finance Director, 020 7946 0123</p><p>Ben Moss, Technical Director, 0121 496 0124</p>',
    published: only('+442079460123', '+441214960124'),
  },
  {
    shape: 'a definition list',
    country: 'GB',
    trunk: GB_TRUNK,
    body: '<dl><dt>Ada Pike</dt><dd>Finance Director</dd><dd>Direct dial 020 7946 0123</dd><dt>Ben Moss</dt><dd>Technical Director</dd><dd>Direct dial 020 7946 0124</dd></dl>',
    published: only('+442079460123', '+442079460124'),
  },
  {
    shape: 'several lines of labels and values in spans',
    country: 'GB',
    trunk: GB_TRUNK,
    body: cards(
      'div',
      `${ada}<div><span class="label">Telephone</span><span class="value">+44 20 7946 0123</span></div>`,
      `${ben}<div><span class="label">Telephone</span><span class="value">+44 20 7946 0124</span></div>`,
    ),
    published: only('+442079460123', '+442079460124'),
  },
  {
    shape: 'dots and dashes of other kinds',
    country: 'GB',
    trunk: GB_TRUNK,
    body: cards('div', `${ada}<p>☎ +44·20·7946·0123</p>`, `${ben}<p>📞 +44 20 7946 – 0124</p>`),
    published: only('+442079460123', '+442079460124'),
  },
  {
    shape: 'the number before the name',
    country: 'GB',
    trunk: GB_TRUNK,
    body: cards(
      'div',
      `<a href="tel:02079460123">020 7946 0123</a>${ada}`,
      `<a href="tel:02079460124">020 7946 0124</a>${ben}`,
    ),
    published: only('+442079460123', '+442079460124'),
  },
  // Germany, Austria and Switzerland
  {
    shape: 'slash and dash',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards('div', `${ada}<p>Tel.: 040 / 3003 - 225</p>`, `${ben}<p>Tel.: 040 / 3003 - 226</p>`),
    published: only('+49403003225', '+49403003226'),
  },
  {
    shape: 'Durchwahl of the switchboard',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards('div', `${ada}<p>Durchwahl: -225</p>`, `${ben}<p>DW 226</p>`),
    published: only('+49403003225', '+49403003226'),
  },
  {
    shape: 'Telefon and Telefax',
    country: 'DE',
    trunk: DE_TRUNK,
    body: '<div class="ansprechpartner"><p><strong>Frau Ada Pike</strong><br>Leiterin Vertrieb<br>Telefax: 040 3003-299<br>Telefon: 040 3003-225<br>ada@oakvane.example</p></div><div class="ansprechpartner"><p><strong>Herr Ben Moss</strong><br>Leiter Einkauf<br>Telefax: 040 3003-299<br>Telefon: 040 3003-226</p></div>',
    published: only('+49403003225', '+49403003226'),
  },
  {
    shape: 'Fon and Mobil',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards('div', `${ada}<p>Fon +49 (0)40 3003-225</p>`, `${ben}<p>Mobil +49 (0) 151 23456789</p>`),
    published: only('+49403003225', '+4915123456789'),
  },
  {
    shape: 'a zero in brackets and 00',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards('div', `${ada}<p>Tel. 0049 (0) 40 3003-225</p>`, `${ben}<p>Tel. +49 [0] 40 3003-226</p>`),
    published: only('+49403003225', '+49403003226'),
  },
  {
    shape: 'a tel: link with a zero in parentheses',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards(
      'div',
      `${ada}<a href="tel:+49(0)403003225">Anrufen</a>`,
      `${ben}<a href="tel:+49%20(0)40%203003-226">Anrufen</a>`,
    ),
    published: only('+49403003225', '+49403003226'),
  },
  {
    shape: 'a contact box of WordPress',
    country: 'DE',
    trunk: DE_TRUNK,
    body: '<div class="wp-block-columns"><div class="wp-block-column"><figure><img src="/a.jpg" alt="Ada Pike"></figure><h4>Ada Pike</h4><p><em>Vertriebsleiterin</em></p><div class="kontakt"><p>Tel. +49 40 3003225<br>ada@oakvane.example</p></div></div><div class="wp-block-column"><h4>Ben Moss</h4><p><em>Einkaufsleiter</em></p><div class="kontakt"><p>Tel. +49 40 3003226</p></div></div></div>',
    published: only('+49403003225', '+49403003226'),
  },
  {
    shape: 'a table with several numbers',
    country: 'DE',
    trunk: DE_TRUNK,
    body: '<table><tr><th>Name</th><th>Funktion</th><th>Fax</th><th>Telefon</th></tr><tr><td>Ada Pike</td><td>Vertriebsleiterin</td><td>040 3003-925</td><td>040 3003-225</td></tr><tr><td>Ben Moss</td><td>Einkaufsleiter</td><td>040 3003-926</td><td>040 3003-226</td></tr></table>',
    published: only('+49403003225', '+49403003226'),
  },
  {
    shape: 'Swiss grouping',
    country: 'CH',
    trunk: '044 668 18 00',
    body: cards('div', `${ada}<p>Direktwahl 044 668 18 25</p>`, `${ben}<p>Tel. direkt: +41 44 668 18 26</p>`),
    published: only('+41446681825', '+41446681826'),
  },
  {
    shape: 'Austrian extension',
    country: 'AT',
    trunk: '01 5321234-0',
    body: cards('div', `${ada}<p>T +43 1 5321234-25</p>`, `${ben}<p>T +43 1 5321234-26</p>`),
    published: only('+431532123425', '+431532123426'),
  },
  // France
  {
    shape: 'pairs of digits',
    country: 'FR',
    trunk: '01 86 98 12 00',
    body: cards('div', `${ada}<p>Tél. : 01 86 98 12 34</p>`, `${ben}<p>Port. : 06 12 34 56 78</p>`),
    published: only('+33186981234', '+33612345678'),
  },
  {
    shape: 'ligne directe',
    country: 'FR',
    trunk: '01 86 98 12 00',
    body: '<ul><li><strong>Ada Pike</strong> – Directrice commerciale – Ligne directe : 01.86.98.12.34</li><li><strong>Ben Moss</strong> – Directeur technique – 01.86.98.12.35</li></ul>',
    published: only('+33186981234', '+33186981235'),
  },
  {
    shape: 'poste of the switchboard',
    country: 'FR',
    trunk: '01 86 98 12 00',
    body: cards('div', `${ada}<p>01 86 98 12 00, poste 12</p>`, `${ben}<p>+33 (0)1 86 98 12 35</p>`),
    published: only('+33186981200;ext=12', '+33186981235'),
  },
  // Spain
  {
    shape: 'teléfono and móvil',
    country: 'ES',
    trunk: '910 12 34 00',
    body: cards('div', `${ada}<p>Teléfono: 910 12 34 56</p>`, `${ben}<p>Móvil: 612 34 56 78</p>`),
    published: only('+34910123456', '+34612345678'),
  },
  {
    shape: 'Tfno. and groups of three',
    country: 'ES',
    trunk: '910 12 34 00',
    body: '<p><strong>Ada Pike</strong><br>Directora comercial<br>Tfno. 910 123 456</p><p><strong>Ben Moss</strong><br>Director técnico<br>Tfno. (+34) 910 123 457</p>',
    published: only('+34910123456', '+34910123457'),
  },
  // Netherlands and Belgium
  {
    shape: 'Dutch mobile numbers',
    country: 'NL',
    trunk: '020 794 0100',
    body: cards('div', `${ada}<p>M 06-12345678</p>`, `${ben}<p>Mobiel: +31 (0)6 1234 5679</p>`),
    published: only('+31612345678', '+31612345679'),
  },
  {
    shape: 'Dutch direct numbers',
    country: 'NL',
    trunk: '020 794 0100',
    body: '<p>Ada Pike, Directeur Verkoop, doorkiesnummer 020-7940123</p><p>Ben Moss, Manager Inkoop, tel. 020 794 01 24</p>',
    published: only('+31207940123', '+31207940124'),
  },
  {
    shape: 'Belgian numbers with slash and dots',
    country: 'BE',
    trunk: '02/588.01.00',
    body: cards('div', `${ada}<p>Tel 02/588.01.23</p>`, `${ben}<p>GSM 0470 12 34 56</p>`),
    published: only('+3225880123', '+32470123456'),
  },
  // Italy
  {
    shape: 'Italian numbers',
    country: 'IT',
    trunk: '02 3858 1200',
    body: cards('div', `${ada}<p>Tel. 02 3858 1234</p>`, `${ben}<p>Cellulare: 347 123 4567</p>`),
    published: only('+390238581234', '+393471234567'),
  },
  {
    shape: 'int. of the switchboard',
    country: 'IT',
    trunk: '02 3858 1200',
    body: cards('div', `${ada}<p>Tel. 02 3858 1200 int. 12</p>`, `${ben}<p>Tel. +39 02 38581235</p>`),
    published: only('+390238581200;ext=12', '+390238581235'),
  },
  // Sweden, as a country beyond the labels above
  {
    shape: 'Swedish numbers',
    country: 'SE',
    trunk: '08-123 456 00',
    body: cards('div', `${ada}<p>Telefon: 08-123 456 78</p>`, `${ben}<p>Mobil: 070-123 45 67</p>`),
    published: only('+46812345678', '+46701234567'),
  },
  // A number of several kinds
  {
    shape: 'a mobile number after the office',
    country: 'GB',
    trunk: GB_TRUNK,
    body: cards(
      'div',
      `${ada}<p>Office 020 7946 0100</p><p>Mobile 07400 123456</p>`,
      `${ben}<p>Office 020 7946 0100</p><p>Mobile 07400 123457</p>`,
    ),
    published: only('+447400123456', '+447400123457'),
  },
  {
    shape: 'a number in a button',
    country: 'US',
    body: cards(
      'div',
      `${ada}<button data-phone="+14155552671"><a href="tel:+14155552671">Call Ada</a></button>`,
      `${ben}<a role="button" class="btn" href="tel://+14155552672">Call Ben</a>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'two people in one cell',
    country: 'US',
    body: '<table><tr><td>Ada Pike<br>Chief Financial Officer<br>415-555-2671<br><br>Ben Moss<br>Chief Technology Officer<br>415-555-2672</td><td>Write to us</td></tr></table>',
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'labels and values without a space',
    country: 'CH',
    trunk: '044 668 18 00',
    body: cards(
      'div',
      `${ada}<p>Tel.<span>+41 44 668 18 25</span><a href="mailto:a@oakvane.example">E-Mail senden</a></p>`,
      `${ben}<p>Tel.<b>+41 44 668 18 26</b>E-Mail senden</p>`,
    ),
    published: only('+41446681825', '+41446681826'),
  },
  // Numbers that are no person's
  {
    shape: 'the phone of an office above its manager',
    country: 'US',
    body: `<section><h2>Leeds</h2><p>(415) 555-3000</p><div class="card">${ada}</div></section><section><h2>York</h2><p>(415) 555-3001</p><div class="card">${ben}</div></section>`,
    published: only(null),
  },
  {
    shape: 'the address block of the company with its president',
    country: 'FR',
    trunk: '',
    body: '<div class="widget"><p>Association Oakvane, 1 rue Haute</p><p>Tél : 01 86 98 12 34</p><p>Ada Pike</p><p>Présidente</p></div>',
    published: { 'Ada Pike': null },
  },
  {
    shape: 'an account number',
    country: 'CH',
    trunk: '044 668 18 00',
    body: cards('div', `${ada}<p>IBAN: CH56 0446 6818 2500</p>`, ben),
    published: only(null),
  },
  {
    shape: 'the switchboard in every card',
    country: 'US',
    body: cards('div', `${ada}<p>Phone: (415) 555-0100</p>`, `${ben}<p>Phone: (415) 555-0100</p>`),
    published: only(null),
  },
  {
    shape: 'the switchboard in one card',
    country: 'GB',
    trunk: GB_TRUNK,
    body: cards('div', `${ada}<p>Tel 020 7946 0100</p>`, ben),
    published: only(null),
  },
  {
    shape: 'the office of a group of people',
    country: 'US',
    body: `<section><h2>Leeds office</h2><p>Phone: (415) 555-3000</p>${cards('div', ada, ben)}</section>`,
    published: only(null),
  },
  {
    shape: 'a fax',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards(
      'div',
      `${ada}<p>Fax: 040 3003-299</p>`,
      `${ben}<p>Telefax <a href="tel:+49403003299">040 3003-299</a></p>`,
    ),
    published: only(null),
  },
  {
    shape: 'a fax link with its label inside',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards(
      'div',
      `${ada}<a class="fax" href="tel:+49403003298">Fax 040 3003-298</a>`,
      `${ben}<a href="fax:+49403003297">040 3003-297</a>`,
    ),
    published: only(null),
  },
  {
    shape: 'an assistant',
    country: 'US',
    body: cards('div', `${ada}<p>Assistant: Eve Roe, (415) 555-2699</p>`, ben),
    published: only(null),
  },
  {
    shape: 'a hotline',
    country: 'US',
    body: cards('div', `${ada}<p>Call toll-free 1-800-555-2671</p>`, ben),
    published: only(null),
  },
  {
    shape: 'years, references and registers',
    country: 'GB',
    trunk: GB_TRUNK,
    body: cards(
      'div',
      `${ada}<p>FCA reference 02079460123, 2014-2019 at Harbour.</p>`,
      `${ben}<p>Registered number 01214960124.</p>`,
    ),
    published: only(null),
  },
  {
    shape: 'a contact section after one person',
    country: 'US',
    body: '<section><h1>Ada Pike</h1><p>Partner</p><p>Ada advises companies on leases.</p></section><section class="contact"><h2>Contact us</h2><p>Tel: (415) 555-3000</p></section>',
    published: { 'Ada Pike': null },
  },
  {
    shape: 'a question box after the last card',
    country: 'DE',
    trunk: DE_TRUNK,
    body: `${cards('div', ada, ben)}<div class="cta"><h3>Noch Fragen?</h3><p>Rufen Sie uns an: 040 3003-500</p></div>`,
    published: only(null),
  },
  {
    shape: 'an article about a person with a hotline',
    country: 'US',
    body: '<article><h1>Oakvane appoints Ada Pike</h1><p><b>Ada Pike</b>, Chief Financial Officer. She joined today.</p><p>For tickets call (415) 555-3000.</p></article>',
    published: { 'Ada Pike': null },
  },
  {
    shape: 'numbers of two people in one paragraph',
    country: 'US',
    body: '<p>Ada Pike, Chief Financial Officer, and Ben Moss, Chief Technology Officer: (415) 555-3000</p>',
    published: only(null),
  },
  {
    shape: 'a branch in a table of branches',
    country: 'US',
    body: '<table><tr><th>Branch</th><th>Manager</th><th>Phone</th></tr><tr><td>Leeds</td><td>Ada Pike, Branch Manager</td><td>(415) 555-3000</td></tr><tr><td>York</td><td>Ben Moss, Branch Manager</td><td>(415) 555-3000</td></tr></table>',
    published: only(null),
  },
]

/** Written after the rules, and not used to adjust them. */
export const HELD_BACK_FRAGMENTS: readonly PhoneFragment[] = [
  {
    shape: 'a law firm: T and M in one line',
    country: 'GB',
    trunk: GB_TRUNK,
    body: '<div class="people-listing"><div class="people-listing__item"><a href="/people/ada-pike"><h2>Ada Pike</h2></a><span class="position">Partner</span><p class="details">T: +44 (0)20 7946 0123 M: +44 (0)7400 123 456</p></div><div class="people-listing__item"><a href="/people/ben-moss"><h2>Ben Moss</h2></a><span class="position">Senior Associate</span><p class="details">T: +44 (0)20 7946 0124</p></div></div>',
    published: only('+447400123456', '+442079460124'),
  },
  {
    shape: 'an accordion with a definition list in each panel',
    country: 'US',
    body: '<div class="accordion"><div class="panel"><div class="panel-heading"><h4>Ada Pike</h4><small>Vice President of Sales</small></div><div class="panel-body"><dl><dt>Phone</dt><dd>415.555.2671</dd><dt>Fax</dt><dd>415.555.9999</dd></dl></div></div><div class="panel"><div class="panel-heading"><h4>Ben Moss</h4><small>Director of Operations</small></div><div class="panel-body"><dl><dt>Phone</dt><dd>415.555.2672</dd><dt>Fax</dt><dd>415.555.9999</dd></dl></div></div></div>',
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'a card with an e-mail and phone icon list',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards(
      'article',
      `<h3 class="name">Ada Pike</h3><div class="function">Leiterin Personal</div><ul class="icons"><li><a href="tel:00494030032 25" title="Telefon">Anrufen</a></li><li><a href="mailto:pike@oakvane.example">Mail</a></li></ul>`,
      `<h3 class="name">Ben Moss</h3><div class="function">Leiter Produktion</div><ul class="icons"><li><a href="tel:040-3003226" title="Telefon">Anrufen</a></li></ul>`,
    ),
    published: only('+49403003225', '+49403003226'),
  },
  {
    shape: 'Ansprechpartner in a table layout',
    country: 'DE',
    trunk: DE_TRUNK,
    body: '<table class="layout"><tr><td><img src="a.jpg"></td><td><b>Ada Pike</b><br>Vertriebsleiterin<br>Tel.: 040 / 30 03 – 225<br>Fax: 040 / 30 03 – 299<br><a href="mailto:a@oakvane.example">a@oakvane.example</a></td></tr><tr><td><img src="b.jpg"></td><td><b>Ben Moss</b><br>Projektleiter<br>Tel.: 040 / 30 03 – 226<br>Fax: 040 / 30 03 – 299</td></tr></table>',
    published: only('+49403003225', '+49403003226'),
  },
  {
    shape: 'a profile page with office and cell',
    country: 'US',
    body: '<div class="profile"><div class="profile-header"><h1>Ada Pike</h1><h3>Senior Vice President</h3><div class="profile-contact"><span>Office</span> <a href="tel:4155550100">415.555.0100</a><br><span>Cell</span> <a href="tel:4155552671">415.555.2671</a></div></div><p>Ada joined the firm in 2014 and leads leasing.</p></div>',
    published: { 'Ada Pike': '+14155552671' },
  },
  {
    shape: 'extensions in a directory table',
    country: 'US',
    body: '<table class="directory"><thead><tr><th>Name</th><th>Position</th><th>Ext.</th></tr></thead><tbody><tr><td>Ada Pike</td><td>Office Manager</td><td>112</td></tr><tr><td>Ben Moss</td><td>Warehouse Manager</td><td>114</td></tr></tbody></table>',
    published: only('+14155550100;ext=112', '+14155550100;ext=114'),
  },
  {
    shape: 'a French list with mailto and tel',
    country: 'FR',
    trunk: '01 86 98 12 00',
    body: '<ul class="equipe"><li><span class="nom">Ada Pike</span><span class="fonction">Directrice générale</span><span class="tel">+33 1 86 98 12 34</span></li><li><span class="nom">Ben Moss</span><span class="fonction">Responsable commercial</span><span class="tel">+33 (0) 6 12 34 56 78</span></li></ul>',
    published: only('+33186981234', '+33612345678'),
  },
  {
    shape: 'a Spanish paragraph with ext.',
    country: 'ES',
    trunk: '910 12 34 00',
    body: '<p><strong>Ada Pike</strong> – Directora de ventas – Tel.: 910 12 34 00 ext. 21</p><p><strong>Ben Moss</strong> – Director financiero – Tel.: 910 12 34 00 ext. 22</p>',
    published: only('+34910123400;ext=21', '+34910123400;ext=22'),
  },
  {
    shape: 'Italian referents',
    country: 'IT',
    trunk: '02 3858 1200',
    body: cards(
      'div',
      `<p class="nome">Ada Pike</p><p class="ruolo">Direttore commerciale</p><p>Telefono diretto: +39 02 3858 1234</p>`,
      `<p class="nome">Ben Moss</p><p class="ruolo">Responsabile acquisti</p><p>Cell: +39 347 1234567</p>`,
    ),
    published: only('+390238581234', '+393471234567'),
  },
  {
    shape: 'Dutch contact persons',
    country: 'NL',
    trunk: '020 794 0100',
    body: '<section class="contactpersonen"><div><h4>Ada Pike</h4><p>Accountmanager<br>T 020 - 794 01 23<br>E <a href="mailto:a@oakvane.example">a@oakvane.example</a></p></div><div><h4>Ben Moss</h4><p>Salesmanager<br>T 020 - 794 01 24</p></div></section>',
    published: only('+31207940123', '+31207940124'),
  },
  {
    shape: 'a media contact in a release',
    country: 'US',
    body: '<div class="release"><h2>Oakvane opens a plant</h2><p>Oakvane today opened a plant in Reno.</p><p><strong>Media Contact:</strong><br>Ada Pike<br>Vice President, Communications<br>ada@oakvane.example<br>+1 (415) 555-2671</p></div>',
    published: { 'Ada Pike': '+14155552671' },
  },
  {
    shape: 'a slider with the number in an attribute text',
    country: 'US',
    body: cards(
      'div',
      `${ada}<a class="btn-call" href="tel:+1 (415) 555-2671" aria-label="Call Ada Pike"><img src="phone.svg" alt="phone"></a>`,
      `${ben}<a class="btn-call" href="tel:+1 (415) 555-2672" aria-label="Call Ben Moss"><img src="phone.svg" alt="phone"></a>`,
    ),
    published: only('+14155552671', '+14155552672'),
  },
  {
    shape: 'a bullet-separated line under each name',
    country: 'GB',
    trunk: GB_TRUNK,
    body: '<div><h4>Ada Pike</h4><p>Managing Director • 020 7946 0123 • ada@oakvane.example</p></div><div><h4>Ben Moss</h4><p>Sales Director • 020 7946 0124 • ben@oakvane.example</p></div>',
    published: only('+442079460123', '+442079460124'),
  },
  {
    shape: 'Austrian Klappe',
    country: 'AT',
    trunk: '01 5321234-0',
    body: cards('div', `${ada}<p>Klappe 25</p>`, `${ben}<p>01 5321234 DW 26</p>`),
    published: only('+431532123425', '+4315321234;ext=26'),
  },
  {
    shape: 'a branch number for three people',
    country: 'GB',
    trunk: GB_TRUNK,
    body: cards(
      'div',
      `${ada}<p>T 020 7946 0300</p>`,
      `${ben}<p>T 020 7946 0300</p>`,
      '<h3>Cleo Hart</h3><p>Sales Manager</p><p>T 020 7946 0300</p>',
    ),
    published: { ...only(null), 'Cleo Hart': null },
  },
  {
    shape: 'a customer story with a hotline',
    country: 'US',
    body: '<div class="news"><p><b>Ada Pike</b>, Chief Executive Officer. She said sales grew.</p><p>Customers may call 415-555-3000 for help with their order at any time of the day.</p></div>',
    published: { 'Ada Pike': null },
  },
  {
    shape: 'reception below two people',
    country: 'DE',
    trunk: '',
    body: `${cards('div', ada, ben)}<p>Empfang: 040 3003-100</p>`,
    published: only(null),
  },
  {
    shape: 'a secretary in the card',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards(
      'div',
      `${ada}<p>Sekretariat: 040 3003-220</p>`,
      `${ben}<p>Assistentin: Eva Roth, Tel. 040 3003-221</p>`,
    ),
    published: { ...only(null), 'Eva Roth': '+49403003221' },
  },
  {
    shape: 'opening hours and postcodes',
    country: 'DE',
    trunk: DE_TRUNK,
    body: cards(
      'div',
      `${ada}<p>Mo-Fr 08.00-12.00, 13.00-17.00 Uhr</p>`,
      `${ben}<p>20095 Hamburg, Postfach 10 20 30 40</p>`,
    ),
    published: only(null),
  },
  {
    shape: 'a one-person page with the company below',
    country: 'US',
    body: '<div class="page"><h1>Ada Pike</h1><p>Founder</p><p>Ada founded Oakvane in 2014.</p><h2>Visit us</h2><p>1 Main Street</p><p>Phone: (415) 555-3000</p></div>',
    published: { 'Ada Pike': null },
  },
]

const DOCUMENT = (body: string, trunk: string) => `<!doctype html><html><head><title>Our team</title></head><body>
<header><a href="/">Oakvane</a> <span>${trunk}</span></header><main><h1>Our team</h1>${body}</main>
<footer><p>Oakvane, 1 Main Street. Tel. ${trunk}</p></footer></body></html>`

export const phonePage = ({ body, trunk = US_TRUNK }: PhoneFragment) => DOCUMENT(body, trunk)
