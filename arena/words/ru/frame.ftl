### What stands around every page: its head and foot, times and counts.
###
### Not yet read over by a native player.

## The head and the foot

# The description for search engines; $page is the page's own title, with a mark behind it, or empty.
about-page = { $page }{ $title }: боты, которые играют в карточную игру золе, их турнирная таблица, матчи и сдачи.
skip-to-page = К содержанию страницы
places = Пять разделов
pages = Страницы
page-standings = Таблица
page-crosstable = Кросс-таблица
page-matches = Матчи
page-watch = Смотреть
page-play = Играть
page-ledger = Журнал
page-rules = Правила
page-about = О сайте
page-begin = Начать
page-own-bots = Мои боты
page-learn = Учиться
page-build = Создать
page-deals = Партии
page-table = Таблица
page-in-short = Коротко
page-guide = Руководство
languages = Языки
# $name is the league's, all others are counts; $practice is "yes" where the seed is known.
league-so-far = { $name }: { $matches ->
    [one] { $matches } матч
    [few] { $matches } матча
    [many] { $matches } матчей
   *[other] { $matches } матча
}, { $games ->
    [one] { $games } сыгранная сдача
    [few] { $games } сыгранные сдачи
    [many] { $games } сыгранных сдач
   *[other] { $games } сыгранной сдачи
}, { $decisions ->
    [one] { $decisions } решение
    [few] { $decisions } решения
    [many] { $decisions } решений
   *[other] { $decisions } решения
}{ $practice ->
    [yes] ; тренировка: зерно известно
   *[no] { "" }
}. Данные на { $moment }.
# The ledger's name stands in the genitive here.
ledger-line = Строка { $line } { $ledger } имеет хеш { $hash }
the-ledger = реестра
json-beside = Числа большинства страниц есть и в виде JSON: допишите <code>.json</code> в конец адреса.
the-api = API
version = Zole Arena { $version }.
not-connected = Нет связи: страница показывает то, что узнала последним.
load-again = Загрузить снова
copy = Копировать
copied = Скопировано
copy-by-hand = Выделите и скопируйте вручную
hash-is-right = ✓ совпадает, посчитано вашим браузером
hash-is-wrong = ✗ не совпадает

## Times and counts

moment-utc = { $moment } UTC
length-days = { $count } дн.
length-hours = { $count } ч
length-minutes = { $count } мин
length-seconds = { $count } с
deals-numbered = { $count ->
    [1] сдача { $first }
    [one] сдачи { $first }–{ $last }
    [few] сдачи { $first }–{ $last }
    [many] сдачи { $first }–{ $last }
   *[other] сдачи { $first }–{ $last }
}
faults = { $count ->
    [one] { $count } нарушение
    [few] { $count } нарушения
    [many] { $count } нарушений
   *[other] { $count } нарушения
}
a-table = Таблица: { $label }
