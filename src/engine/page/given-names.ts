/**
 * Common given names around the world, without accents. A name here is a person's even where nothing else on the page
 * speaks of people; a name that is not here is believed only where the page does.
 */
const NAMES =
  'aaron abby abdul abdullah abel abigail abraham ada adam adebayo adel adele adelina adrian adriana ' +
  'adrienne agata agnes agnieszka ahmad ahmed aidan aiden aiko aileen aisha aki akash akira alan alana alain ' +
  'alastair albert alberto alden alec alejandra alejandro aleksandar aleksandra alena alessandra alessandro ' +
  'alessia alex alexa alexander alexandra alexandre alexandru alexei alexis alfonso alfred alfredo ali alice ' +
  'alicia alina alisha alison alistair allan allen allison alma alyssa amal amanda amara amber amelia amelie ' +
  'amina amir amit amy ana anand anastasia anders andrea andreas andreea andrei andres andrew andrey andy ' +
  'angel angela angelica angelina angelo angus anil anita anja anjali ankit ann anna annabel annalisa anne ' +
  'annelie annette annie annika ansel anthony antje antoine anton antonella antonia antonio anya april ' +
  'archie ariana ariel arjun arman armando arnaud arnold art arthur artur arturo arun arvind asha ashley ' +
  'ashok asif asma astrid athena aubrey audrey august aurelie aurora austin ava avery avi axel ayesha aylin ' +
  'ayumi azra ' +
  'barbara barry bart bartosz basil beata beatrice beatriz becky belinda bella ben benedict benedikt ' +
  'benjamin benoit bernadette bernard bernd bert beth bethany betty bianca bill billy birgit bjorn blake bob ' +
  'bobby bogdan boris brad bradley brandon brenda brendan brent brett brian bridget britta brittany brooke ' +
  'bruce bruno bryan bryce burak ' +
  'caitlin caleb calvin cameron camila camilla camille candice carl carla carlo carlos carly carmen carol ' +
  'carole carolina caroline carrie carter casey cassandra catalina caterina catherine cathy cecilia cecile ' +
  'cedric celeste celia celine cesar chad chandra charlene charles charlie charlotte chelsea chen cheryl ' +
  'chiara chidi chloe chris christa christian christiane christie christina christine christof christoph ' +
  'christophe christopher christy chuck cindy claire clara clarence clark claudia claudio claus clement ' +
  'clementine clifford clive cody colette colin colleen connie connor conrad constance corey corinne cory ' +
  'courtney craig cristian cristina crystal curtis cynthia cyril ' +
  'daisy dale damian damien dan dana daniel daniela daniele daniella danielle danny daphne daria dario ' +
  'darius darlene darren darryl dave david dawn dean deanna debbie deborah debra deepa deepak deirdre delia ' +
  'delphine denis denise dennis derek desiree desmond devin devon diana diane didier diego dieter dietmar ' +
  'dilip dimitri dina dinesh dirk dmitri dmitry dolores dominic dominik dominique don donald donna dora ' +
  'doris dorothea dorothy doug douglas drew duncan dustin dwayne dylan ' +
  'earl ebony ed eddie edgar edith edmund eduardo edward edwin eileen elaine eleanor elena eleni elias elif ' +
  'elijah elin elina elinor eliot elisa elisabeth elise eliza elizabeth ella ellen ellie elliot elliott ' +
  'eloise elsa elvira emanuel emeka emil emilia emilie emilio emily emma emmanuel emre enrico enrique eric ' +
  'erica erich erik erika erin ernest ernesto esme esperanza esra estelle esther ethan etienne eugene ' +
  'eugenia eva evan evangelia eve evelyn ewa ' +
  'fabian fabio fabrice faisal farah farhan farid fatemeh fatima federica federico felicia felicity felipe ' +
  'felix ferdinand fernanda fernando filip filippo finn fiona flavia flora florence florian frances ' +
  'francesca francesco francine francis francisca francisco franck francois francoise frank franz fred ' +
  'freddie frederic frederick frederik freya friedrich fumiko ' +
  'gabriel gabriela gabriele gabriella gail gareth garrett gary gaurav gavin gemma gene genevieve geoff ' +
  'geoffrey george georgia georgina gerald geraldine gerard gerardo gerd gerhard germaine gertrude gianluca ' +
  'gilbert giles gillian gina ginger giorgio giovanna giovanni giulia giuseppe gladys glen glenn gloria ' +
  'gordon grace graham grant greg gregg gregor gregory greta grzegorz guadalupe guido guillaume guillermo ' +
  'gunter gustav gustavo guy gwen gwendolyn ' +
  'hal hamid hamza han hana hannah hans hanna harald haris harold harpreet harriet harris harry haruki hasan ' +
  'hassan heather hector heidi heike heinz helen helena helene helga helmut hema hendrik henri henrietta ' +
  'henrik henry herbert herman hideo hilary hilda hiroshi holger holly hope horst howard hubert hugh hugo ' +
  'humberto hussein ' +
  'ian ibrahim ida ifeanyi ignacio igor ikram ilaria ilona ilse ilya iman imogen imran ina ines ingeborg ' +
  'ingo ingrid inigo ioana ira irena irene irina iris irma isaac isabel isabella isabelle isaiah ismail ' +
  'israel ivan ivana ivo ivy ' +
  'jack jackie jackson jacob jacqueline jacques jade jaime jake jakob jakub james jamie jan jana jane janet ' +
  'janice janine jared jarrod jasmin jasmine jason javier jay jean jeanette jeanne jeff jeffrey jelena jen ' +
  'jenna jennifer jenny jens jeremiah jeremy jerome jerry jess jesse jessica jesus jill jim jimmy jin jing ' +
  'jo joachim joan joann joanna joanne joao joaquin jocelyn jochen jodi joe joel joelle joerg joey johan ' +
  'johanna johannes john johnny jon jonas jonathan jordan jorg jorge jose josef josefina joseph josephine ' +
  'josh joshua joy joyce juan juana juanita judith judy jules julia julian juliana julie julien juliet julio ' +
  'julius june jurgen justin justine justyna ' +
  'kai kamal kamil kara karan karel karen kari karim karin karina karl karla karolina karsten kasia kate ' +
  'katharina katherine kathleen kathryn kathy katia katie katja katrin katrina katya kaveh kay kayla kazuo ' +
  'keiko keith kelly kelsey ken kendra kenji kenneth kerry kerstin kevin khaled khalid kieran kim kimberly ' +
  'kinga kira kiran kirk kirsten kit klaus klara knut kofi konrad konstantin kris krishna krista kristen ' +
  'kristian kristin kristina kristine krystyna krzysztof kumar kurt kwame kyle kylie ' +
  'lakshmi lamar lana lance lara larry lars laura laure lauren laurence laurent laurie lea leah leanne lee ' +
  'leena leif leila lena leo leon leona leonard leonardo leonie leonor leslie leticia levi lewis li lia liam ' +
  'libby lidia liesbeth lila lilian liliana lillian lily lina linda lindsay lindsey ling lisa liv liz lloyd ' +
  'logan lois lola lora loredana lorena lorenzo loretta lori lorna lorraine lotte lou louis louisa louise ' +
  'luc luca lucas lucia luciana luciano lucie lucile lucinda lucy ludmila ludwig luigi luis luisa lukas luke ' +
  'luz lydia lynda lynn lynne ' +
  'mackenzie maddie madeleine madison mads magda magdalena maggie magnus mahmoud mai maja malcolm malik ' +
  'mandy manfred manish manoj manon manuel manuela mara marc marcel marcela marcelo marcia marco marcos ' +
  'marcus margaret margarita margaux margot marguerite maria mariam marian mariana marianne marie mariel ' +
  'marika marilyn marina mario marion marisa marisol marissa marit marius marjorie mark marko markus marlene ' +
  'marsha marta martha martin martina marty marvin mary maryam masako mateo mateusz mathias mathieu mathilde ' +
  'matilda matt matteo matthew matthias matthieu maureen maurice mauricio mauro max maxim maxime maximilian ' +
  'maxine may maya mayra megan mehmet mei mel melanie melinda melissa melody mercedes meredith merve mia ' +
  'michael michaela michal michel michele michelle miguel mihai mika mikael mike mikhail mila milan milena ' +
  'miles millicent milos milton mina ming mira miranda mireille miriam mirko mitch mitchell mohamed mohammad ' +
  'mohammed mohit moira molly mona monica monika monique morgan morten moses muhammad mukesh murat muriel ' +
  'murray mustafa myriam ' +
  'nabil nadia nadine naomi naoko naresh nasser natalia natalie natasha nate nathalie nathan nathaniel ' +
  'naveen neal neha neil nelly nelson nicholas nick nicky nico nicola nicolas nicole niels nigel nikhil ' +
  'nikita nikola nikolai nikolaus nikos nils nina nisha nitin noah noel noemi noor nora norbert noriko norma ' +
  'norman nuno nuria ' +
  'octavia odile oksana ola olaf oleg olena olga oliver olivia olivier oluwaseun omar orla oscar oskar osman ' +
  'otto oumar owen ' +
  'pablo paige paloma pam pamela paola paolo parisa pascal pat patrice patricia patricio patrick patrik ' +
  'patty paul paula paulina pauline paulo pavel pawel pearl pedro peggy penelope penny per percy perry pete ' +
  'peter petr petra phil philip philippa philippe phillip phoebe phyllis pia pierre pieter pilar piotr polly ' +
  'pooja prakash pranav prashant preeti priscilla priya priyanka ' +
  'quentin quinn rachel rachid radek rafael rafal raghav rahul raj raja rajesh rajiv ralf ralph ramesh rami ' +
  'ramon ramona ramya randall randy rania raphael raquel rashid raul ravi ray raymond raza rebecca reginald ' +
  'regina reinhard reinhold remy rena renata renate rene renee reza rhiannon rhonda ricardo riccardo rich ' +
  'richard rick ricky rita ritu rob robert roberta roberto robin robyn rocio rod roderick rodney rodolfo ' +
  'rodrigo roger rohan rohit roland rolf roman romain ron ronald rory rosa rosalie rosalind rosario rose ' +
  'rosemary ross rowan roxanne roy ruben rudolf rui rupert ruslan russell ruth ryan ryota ' +
  'sabine sabrina sachin sadie said saima sakura salim sally salma salman salvador sam samantha samir samira ' +
  'samuel sandeep sandra sandy sanjay sanjeev santiago sara sarah sasha saskia satoshi saul scott sean ' +
  'sebastian selena selim selina serena serge sergei sergey sergio seth shane shannon sharon shaun shauna ' +
  'sheila shelby shelley shigeru shirley shiv shreya sibylle sidney siegfried sigrid silke silvia simon ' +
  'simona simone sina sinead siobhan sneha sofia sofie sonal sonia sonja sophia sophie soren spencer ' +
  'srinivas stacey stacy stan stanislav stanley stefan stefania stefanie stefano steffen stella stephan ' +
  'stephane stephanie stephen steve steven stewart stuart sudhir sue suki sumit sunil sunita suresh susan ' +
  'susana susanna susanne susie suzanne sven svetlana sylvain sylvia sylvie ' +
  'tabitha tadeusz takashi takeshi tamara tammy tania tanja tanya tara tariq tarun tatiana taylor ted teresa ' +
  'terence terese terri terry tess tessa thea thelma theo theodora theodore theresa therese thi thierry ' +
  'thomas thorsten tiago tiffany tim timo timothy tina tobias todd tom tomas tomasz tommaso tommy toni tony ' +
  'tracey tracy travis trevor tricia trina tristan troy tyler tyrone udo ugo ulf ulrich ulrike uma umar ' +
  'ursula usha ute uwe ' +
  'vaishali val valentin valentina valeria valerie valery vanessa vasily veronica veronika veronique vicente ' +
  'vicki vicky victor victoria vijay vikram viktor viktoria vinay vince vincent vincenzo viola violet ' +
  'virginia virginie vishal vitor vittoria vivek vivian viviana vivien vivienne vladimir vlad volker wade ' +
  'walter wanda wang warren wayne wei wendy werner wes wesley wil wilhelm will willem william willie wilma ' +
  'wim winifred winston wojciech wolfgang ' +
  'xavier ximena yael yamini yan yang yann yannick yara yasmin yasmine yasser yelena yevgeny ying yoko ' +
  'yolanda yoshi yousef youssef yu yuan yui yuki yulia yuri yusuf yves yvette yvonne zac zach zachary zahra ' +
  'zara zeynep zhang zoe zofia zoltan zsofia zuzana'
const GIVEN_NAMES = new Set(NAMES.split(' '))

/** True when one of the words (folded, lower case) is a common given name; hyphenated ones count by their parts. */
export function holdsGivenName(words: readonly string[]): boolean {
  return words.some(
    (word) => GIVEN_NAMES.has(word) || (word.includes('-') && word.split('-').some((part) => GIVEN_NAMES.has(part))),
  )
}
