/**
 * The fields people work in, as a tree. A line reads `id < parents @Department ~neighbours: phrases`: the first phrase
 * is the name shown in titles, the others are what titles, headlines and requests call it, the things it looks after
 * among them ("laptops"). A line without parents is a department of its own; neighbours are asked when nobody is there.
 * The first line of a department stands for the whole of it. A phrase may stand in several lines (a CPO is a chief of product, people or procurement).
 */
export const FIELD_LINES = `
ceo @Executive ~operations: chief executive officer|ceo|chief executive|managing director|president|general manager|gm|managing partner|executive director|country manager|boss|vorstand|vorstandsmitglied|bestuurder|head of the company
founder @Executive ~ceo: founder|co founder|founding partner|founders
owner @Executive ~ceo: owner|proprietor|shareholder
board @Executive ~ceo: board member|board|chair|board of directors|non executive director|independent director|supervisory board|trustee
partner @Executive ~ceo: partner|equity partner|senior partner
strategy @Executive ~ceo finance: strategy|corporate strategy|strategic planning|chief strategy officer|cso|corporate development|mergers and acquisitions|m&a|acquisitions
chief of staff @Executive ~ceo: chief of staff
sales @Sales ~marketing: sales|revenue|commercial|chief revenue officer|cro|chief sales officer|chief commercial officer|cco|gtm|go to market|seller|salesperson|salespeople|selling|deals|sale
revops < sales: revenue operations|revops|rev ops|sales operations|salesops|sales enablement|salesforce|salesforce administrator|sales forecasting|deal desk|sales planning|sales analyst
account executive < sales: account executive|ae|sales executive|sales representative|closer|sales associate|sales agent
account management < sales: account manager|account director|account management|key account|key accounts|national account|client partner|relationship manager|client director|customer relationship|renewals|renewal|major accounts
sdr < sales: sales development|sdr|bdr|business development representative|sales development representative|lead generation|prospecting|cold calling|outbound|inside sales|cold calls
business development < sales: business development|bizdev|biz dev|new business|chief business officer|licensing|bus dev|business developer
presales < sales: sales engineer|sales engineering|presales|pre sales|solutions consultant|solution consultant|solutions engineer|proposal|bid|tender|rfp|demo engineer
partnerships < sales: partnerships|partnership|alliances|channel|channel sales|partner manager|reseller|resellers|channel partners|partner program|strategic partnerships
pricing < sales finance: pricing|yield|revenue management|revenue manager|price|prices
travel sales < sales: groups and events|group sales|event sales
cargo < sales logistics: cargo|air freight
ecommerce < marketing sales: e commerce|ecommerce|online shop|webshop|online store|online sales|web shop
real estate sales < sales: realtor|estate agent|real estate agent
marketing @Marketing ~sales: marketing|marketer|chief marketing officer|cmo|campaign|campaigns|promotion|marketing communications|chief growth officer|growth
demand generation < marketing: demand generation|demand gen|lead gen|performance marketing|growth marketing|abm|account based marketing|acquisition marketing
product marketing < marketing: product marketing|pmm|product marketer
brand < marketing: brand|branding|brand design|trade marketing
content < marketing: content|content marketing|copywriter|copywriting|copy|editor|editorial|blog|writer|content strategist|storytelling|newsletter
pr < communications: public relations|pr|media relations|press|press office|press officer|press releases|spokesperson|publicist|journalist relations|press relations|media enquiries
communications < marketing: communications|communication|corporate communications|public affairs|external affairs|cco|internal communications|government relations|public policy|lobbying
social media < marketing: social media|community manager|instagram|tiktok|influencer|facebook|social channels
seo < digital marketing: seo|search engine optimization|search engine optimisation|organic search|search rankings|google rankings
paid media < digital marketing: paid media|ppc|sem|google ads|paid search|media buyer|media buying|advertising|ads|media planner|ad spend|programmatic|paid social|ad budget
digital marketing < marketing: digital marketing|online marketing|website|web content|homepage|marketing website
events < marketing: events|event|event marketing|trade shows|trade show|conferences|conference|webinar|exhibitions|fairs
field marketing < marketing: field marketing|regional marketing
marketing operations < marketing: marketing operations|marketing ops|martech|marketing automation|hubspot|marketo
crm < marketing: crm|loyalty|customer relationship management|lifecycle marketing|email marketing|retention marketing|loyalty program|loyalty programme|frequent flyer|crm system
market research < marketing: market research|consumer insights|customer insights
devrel < marketing engineering: developer relations|devrel|developer advocate|developer advocacy|developer evangelist|evangelist|developer experience|technical evangelist
video < content: video|video editor|videographer|video production|film
customer @Customer Success ~sales: customer|customer success|customer experience|cx|client services|client success|chief customer officer|cco|chief experience officer|customer operations|client|user onboarding|guest experience|passenger experience|student experience
customer success < customer: customer success|csm|client success|customer retention|churn|customer onboarding|implementation|onboarding
customer experience < customer: customer experience|cx|guest experience|guest relations|passenger experience|voice of the customer|nps|chief experience officer
customer support < customer: customer support|customer service|customer care|call center|contact center|support agent|support tickets|helpline|customer complaints|complaints|technical support|call centre|customer services|hotline|customer advisor|tickets
product @Product ~engineering: product|product management|product manager|product owner|chief product officer|cpo|product strategy|roadmap|product roadmap|cpto|products
product operations < product: product operations|product ops
payments < product: payments|checkout|payment|billing platform
npd < product research: new product development|npd|product development|product innovation
design @Design ~product: design|designer|ux|ui|user experience|user interface|product design|product designer|ui ux|chief design officer|interaction design
ux research < design: ux research|ux researcher|user research|user researcher|usability
creative < design marketing: creative|creative director|art director|art|graphic designer|graphic design|illustrator|animator|chief creative officer|visual design|studio
engineering @Engineering ~it: engineering|engineer|technology|chief technology officer|chief technical officer|cto|technical|technical director|tech|r and d engineering|tech stack|vp engineering|techie|techies|nerds
software < engineering: software|software engineer|software engineering|software developer|software development|developer|programmer|coder|web developer|full stack|fullstack|java developer|application development|coding|programming|code|java|python|software architect|cobol|php|golang|ruby|rust|dot net|embedded software|engineering manager|app developer|apps
backend < software: backend|back end|server side
frontend < software: frontend|front end|react|typescript|javascript|angular|vue|web app
mobile < software: mobile|ios|android|mobile app|mobile engineer
qa < engineering: qa engineer|qa|test engineer|tester|test lead|test automation|software testing|quality engineering|qa automation|qa engineering|testing|sdet
devops < infrastructure: devops|dev ops|ci cd|kubernetes|docker|terraform|release manager|devsecops|release engineering
sre < infrastructure: site reliability|sre|site reliability engineer|on call|reliability|uptime
infrastructure < engineering it: infrastructure|cloud|cloud infrastructure|aws|azure|gcp|platform|platform engineering|cloud engineer|cloud architect|cloud operations|hosting|servers|data center|cloud platform|server
finops < infrastructure: finops|cloud costs|cloud cost|cloud finops|aws bill|cloud spend|cloud bill|cloud spending|aws costs|cloud cost optimisation|cloud budget|hosting costs
architecture < engineering: solutions architect|solution architect|enterprise architect|enterprise architecture
technical writing < engineering product: technical writer|technical documentation|documentation|technical author|docs|user manuals|manuals
hardware < engineering: hardware|embedded|firmware|electronics|electrical engineer|mechanical engineer|robotics|mechanical engineering|electrical engineering
scada < energy engineering: scada|scada engineer|control systems|plc|automation engineer|industrial automation
gis < data energy: gis|gis analyst|mapping|geospatial|maps
data @Data ~engineering: data|analytics|chief data officer|cdo|chief analytics officer|data governance|data strategy|data platform|cdao|data management|data quality
data science < data: data science|data scientist|statistics|statistician|predictive modelling
ml < data: machine learning|ai|ml|artificial intelligence|deep learning|mlops|genai|generative ai|llm|nlp|chief ai officer|ml engineer
data engineering < data: data engineering|data engineer|data pipelines|spark|dbt|data warehouse|etl|databricks|snowflake
bi < data: data analyst|business intelligence|bi|data analytics|insights|dashboards|reporting analyst|tableau|power bi|bi analyst
bioinformatics < data research: bioinformatics|computational biology|biostatistics|biostatistician
it @IT ~engineering: it|information technology|chief information officer|cio|information systems|it operations|chief digital officer|cdo|digital|ict|systems|it infrastructure|digital transformation|it director|core banking|business systems|enterprise applications|informatics|it department|enterprise software|business software|it systems|it service
end user computing < it: it support|help desk|helpdesk|service desk|end user computing|laptop|laptops|notebook|notebooks|desktop|desktops|workstations|devices|computers|mdm|okta|desktop support|it service delivery|it service desk|device management|pcs|printers|employee devices|hardware procurement|phones|it equipment|it support technician|computer|it helpdesk
network < it: network|networks|network engineer|network administrator|wifi|telecommunications|telecom|campus network|system administrator|systems administrator|sysadmin|system administration|database administrator|dba|wlan
erp < it: erp|sap|sap s 4hana|oracle|netsuite|microsoft dynamics|erp system
lms < learning it education technology: lms|learning management system|e learning|elearning|instructional design|instructional designer|canvas lms|moodle|learning platform
education technology < it: educational technology|edtech|academic technology|classroom technology
clinical informatics < it healthcare: clinical informatics|ehr|epic|electronic health records|health informatics|health it|electronic health record|medical records|emr|patient records
hris < hr it: hris|hr systems|workday|hr technology|hr information system|people systems|people analytics|hr software|hr system
infosec @Security ~it: information security|security|cybersecurity|cyber security|ciso|chief information security officer|chief security officer|cso|infosec|it security|security engineer|security analyst|security architect|cissp|security operations|soc|threat|penetration tester|pentest|penetration testing|hackers|hacking|data breaches|phishing|ransomware|security manager|head of security|cyber|cyber attacks|vulnerabilities|identity and access management|iam
appsec < infosec: application security|appsec|product security|secure coding
finance @Finance ~operations: finance|financial|chief financial officer|cfo|fiscal|finances|vp finance|finance department|money|numbers|cheque|check|checkbook|funds
accounting < finance: accounting|accountant|controller|comptroller|financial controller|bookkeeper|bookkeeping|general ledger|chief accounting officer|month end|month end close|the books|cpa|financial reporting|annual accounts|closing the books|balance sheet|books|bookkeepers|accounts|statutory accounts
accounts payable < accounting: accounts payable|ap|supplier invoices|vendor invoices|invoices|pays invoices|paying invoices|paying suppliers|vendor payments|bills|invoice processing|invoice|expense reports|travel expenses|expenses|pays the bills|supplier payments
accounts receivable < accounting: accounts receivable|ar|collections|collecting debts|dunning|debt collection|order to cash|credit control|overdue invoices
billing < accounting customer: billing|revenue cycle|medical billing|claims billing|customer bills|customer billing|bill customers
fpa < finance: financial planning and analysis|fp&a|financial planning|financial analyst|budgeting|forecasting|financial analysis|controlling|financial modelling|management accounting|business controller|budget planning|management accountant|financial forecast
treasury < finance: treasury|treasurer|cash management|liquidity|bank accounts|cash flow|foreign exchange|fx|cash
tax < finance: tax|taxes|taxation|vat|transfer pricing
audit < finance compliance: internal audit|audit|auditor|internal controls|auditing|sox|internal auditor
investor relations < finance: investor relations|investors relations|shareholder relations
payroll < hr finance: payroll|salaries|wages|paychecks|payslips|salary payments|wage|salary|paycheck|payslip
student finance < finance university: bursar|tuition|tuition fees|student accounts|tuition payments|student financial services
investment @Finance ~finance: investment|investments|chief investment officer|portfolio|asset management|asset allocation|portfolio manager|trader|trading|wealth management|private equity|fund|investing|wealth|portfolio strategy
banking @Finance ~finance: banking|corporate banking|retail banking|lending|loan|loans|mortgage|mortgages|credit|private banking|investment banking|loan officer
risk @Finance ~compliance finance: risk|chief risk officer|cro|risk management|enterprise risk|operational risk|market risk|risks
credit risk < risk: credit risk|counterparty risk
insurance @Finance ~finance: insurance|insurance agent
underwriting < insurance: underwriting|underwriter|policies
actuary < insurance: actuary|actuarial|actuarial science|fsa|reserving
claims < insurance: claims|claims adjuster|claims handling|loss adjuster|insurance claims|claim
legal @Legal ~compliance: legal|general counsel|counsel|chief legal officer|clo|lawyer|attorney|solicitor|barrister|paralegal|law|litigation|corporate counsel|company secretary|corporate secretary|legal department|jurist|legal counsel|lawsuits|compliance counsel
contracts < legal: contracts|contract|contract management|contract manager|contract administrator|commercial contracts|contract negotiation|contract negotiations|ndas
ip < legal: intellectual property|patent|patents|patent attorney|trademark|trademarks|ip rights
privacy < legal compliance: privacy|data protection|data protection officer|dpo|gdpr|dsgvo|data privacy|chief privacy officer|personal data|ccpa
compliance @Legal ~legal risk: compliance|chief compliance officer|cco|compliance officer|ethics|regulatory compliance|compliance analyst
grc < compliance risk: grc|governance risk and compliance|governance|governance risk compliance
financial crime < compliance: financial crime|aml|kyc|anti money laundering|sanctions|money laundering|fraud|fraud prevention|know your customer
regulatory < compliance: regulatory affairs|regulatory|fda submissions|market authorisation|approvals|drug approval|regulatory submissions|fda|ema
customs < logistics compliance: customs|customs compliance|import export|trade compliance|import|tariffs|customs clearance|customs broker
hr @People ~operations: human resources|hr|people|chief people officer|chief human resources officer|chro|cpo|people operations|people ops|human capital|people and culture|hr advisor|hr business partner|hrbp|people partner|hr generalist|employee relations|chief happiness officer|personnel|workforce|employee experience|hr department|culture|chief talent officer|onboarding|employee onboarding|personnel department
recruiting < hr: recruiting|recruiter|recruitment|talent acquisition|ta|talent|headhunter|sourcer|hiring|employer branding|executive recruiter|hiring people|new hires|recruits|job openings|vacancies|staffing|hires|hire
learning < hr: learning and development|l&d|training|trainer|corporate trainer|learning|staff training|employee training|leadership development|organizational development|upskilling|workshops|training courses|employee development
rewards < hr: total rewards|compensation and benefits|compensation|benefits|rewards|comp and ben|bonuses|health plan|pension|pensions|employee benefits|comp ben|comp & ben|c&b|perks
dei < hr: diversity|inclusion|dei|diversity and inclusion|diversity equity
operations @Operations ~supply chain: operations|chief operating officer|chief operations officer|coo|business operations|bizops|operational excellence|process improvement|lean|six sigma|business processes|continuous improvement|day to day operations|daily operations
project management < operations: project manager|project management|pmo|program manager|program management|scrum master|agile coach|projects|project lead|project
delivery < operations: delivery|chief delivery officer|delivery head|delivery manager|service delivery|client delivery|project delivery|practice head|professional services|consulting delivery
business analysis < operations it: business analyst|business analysis|requirements
manufacturing @Operations ~operations: manufacturing|production|plant|plant manager|factory|plant director|assembly|fabrication|shop floor|production line|production lines|factories|chief manufacturing officer|plants
cmc < manufacturing research: cmc|drug substance|chemistry manufacturing and controls|drug manufacturing
maintenance < manufacturing facilities: maintenance|repair|repairs|mechanic|equipment maintenance|technician|machine maintenance|machines|machinery|engineering maintenance
quality @Operations ~manufacturing: quality|quality assurance|quality control|quality management|gmp|iso 9001|qms|qc|quality manager|food quality|product quality|chief quality officer|haccp
safety @Operations ~operations: safety|health and safety|ehs|hse|osha|occupational safety|workplace safety|work safety|safety officer|accidents|accident prevention|environment health and safety|protective equipment|ppe|osha 30
food safety < quality safety: food safety|food hygiene|haccp
guard @Operations ~facilities: security officer|security guard|guard|patrol|campus safety|campus security|physical security|loss prevention|site security|campus police
facilities @Operations ~operations: facilities|facility|facility management|facilities management|workplace|buildings|building|real estate|property|office space|property manager|offices|cleaning|janitorial|groundskeeper|grounds|office building|admin and facilities|hvac|heating|office furniture|furniture|air conditioning|custodian|cleaners|premises|estates|office supplies|landscaping
office < facilities: office manager|office management|office administration|office coordinator|office supplies|office
retail @Operations ~sales: retail|store|store manager|shop|branch|branch manager|store operations|stores|shops|branches|store management|boutique|outlet
construction @Operations ~operations: construction|site superintendent|superintendent|site manager|construction site|construction sites|foreman|job site|building site|jobsite
estimating < construction: estimator|estimating|cost estimates|bids|quantity surveyor|cost estimation|estimates
trades < construction: electrician|plumber|carpenter|welder|lineman|electrical installation|tradesman|tradespeople|wiring|craftsmen
energy @Operations ~operations: grid|power lines|power grid|transmission|vegetation management|vegetation|substation|outages|utility|energy|trees|tree trimming|line crew|electric grid|outage
aviation @Operations ~operations: flight operations|flight|pilot|chief pilot|cabin crew|flight attendant|ground operations|ground handling|aircraft|airport|flight crew|cockpit|captain|crew|crews|airport operations
aircraft maintenance < aviation maintenance: aircraft mechanic|aircraft maintenance|fleet and maintenance|aviation maintenance|airworthiness|aircraft engineer
hospitality @Operations ~operations: hospitality|hotel|front desk|reception|receptionist|front office|housekeeping|concierge|rooms|guest services|cleaning rooms|room cleaning
food and beverage < hospitality: chef|executive chef|kitchen|restaurant|bar|bartender|food and beverage|f&b|catering|cook|menu|barista|waiter|dining|menus
supply chain @Supply Chain ~operations: supply chain|chief supply chain officer|scm|supply chain management|materials management
procurement < supply chain: procurement|purchasing|buyer|sourcing|strategic sourcing|chief procurement officer|cpo|purchaser|buying|vendors|suppliers|supplier management|vendor management|indirect material|indirect materials|purchase orders|category manager|procure|purchase|purchases|buys|buy|supplier|vendor|purchasing department|procurement officer|buys things|private label|supplier negotiations|vendor contracts|supplier contracts
packaging < procurement: packaging|packaging buyer|packaging material|packaging materials
category < procurement retail: category manager|category management|merchandising|assortment|product range|merchandiser|fresh food|private label
it procurement < procurement it: it procurement|software licensing|software licences|software licenses|software purchasing|it purchasing|software procurement|licences|licenses|it vendors|software vendors|software contracts|it purchases|it buyer|software buying
planning < supply chain: supply chain planner|demand planning|demand planner|planner|inventory|stock|production planning|inventory control|stock levels|inventories|materials planning|scheduling|stock planning
logistics < supply chain: logistics|distribution|shipping|transport|transportation|freight|dispatch|dispatcher|fulfillment|deliveries|shipments|shipment|supply logistics|parcels
warehouse < logistics: warehouse|warehousing|storage|forklift|forklift driver|warehouse supervisor|distribution center|warehouse manager|depot|fulfilment center|picking and packing|inventory storage|warehouses|stockroom
fleet < logistics: fleet|fleet manager|truck|trucks|vehicles|vans|company cars|lorries|vehicle|cars|car fleet|lorry
driver < fleet: driver|truck driver|cdl|trucker|drivers|delivery driver|chauffeur
research @Research ~product: research|research and development|r&d|rnd|chief scientific officer|chief science officer|scientist|researcher|scientific|innovation|drug discovery|discovery|cso|chief scientist|research scientist|postdoctoral|postdoc|postdoctoral researcher|science|biology|chemistry|chemist|preclinical
lab < research procurement: lab|laboratory|lab manager|lab equipment|reagents|lab supplies|laboratories|laboratory equipment|lab operations|lab consumables
clinical @Research ~healthcare: clinical|clinical development|clinical research|clinical trials|clinical trial|clinical operations|trials|clinical study|clinical studies|trial|clinical trial coordinator
medical affairs < clinical healthcare: medical affairs|medical science liaison|msl|medical liaison|key opinion leaders|kol|kols
grants < university research: grants|grant|research funding|grant funding|sponsored research|fundraising|grant applications|research grants|funding|grants manager
healthcare @Healthcare ~operations: healthcare|medical|chief medical officer|cmo|physician|doctor|surgeon|medical director|physicians|hospital|patient care|clinician|health|patients|patient|medical staff|pharmacist|pharmacy|therapist|veterinarian|dentist
nursing < healthcare: nursing|nurse|chief nursing officer|cno|rn|nurse manager|registered nurse|nurse practitioner|wards|nursing staff|nurses
medical supplies < procurement: medical devices|medical supplies|consumables|medical device purchasing|medical equipment
university @Education ~operations: academic|faculty|university|provost|chancellor|rector|chief academic officer|higher education|campus|academic affairs|curriculum|teaching|schools|teacher|principal|tutor|education|faculties
professor < university: professor|lecturer|professors|teachers|instructor|associate professor|assistant professor
dean < university: dean|deans|dean of engineering
admissions < university: admissions|enrollment|applicants|admission|student recruitment|admission office|enrolment|student applications
registrar < university: registrar|student records|transcripts|course registration|academic records|registration
library < university: library|librarian|libraries|journal subscriptions|journals
career services < university: career services|careers service|career center|student careers|internships office|student internships|graduate jobs|career counselling|student placement|career advice
student services < university: student services|student affairs|dormitories|student life
sustainability @Other ~operations: sustainability|esg|net zero|csr|climate|carbon|carbon footprint|environmental|chief sustainability officer|cso|corporate social responsibility|environment|decarbonisation|carbon emissions|co2|green|emissions
administration @Administration ~operations: administration|administrative|chief administrative officer|cao|clerk|data entry|clerical
assistant < administration: executive assistant|assistant|personal assistant|secretary|ea|pa|administrative assistant|diary|calendar|admin assistant|virtual assistant
intern @Other ~hr: intern|internship|trainee|apprentice|student|working student|graduate trainee|interns
`
